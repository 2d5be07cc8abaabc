/** A certificate for localhost that signed itself, valid for a hundred years. Its key is no secret: it guards nothing. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghn5Kr/XrFeE2UUj5
D6bOuDYi3pQ/LFofbbozt8/V3gChRANCAAQgcfFjqsQu2ptYzUQFWiOYhrZcukSx
fexSd3TbnfvHDzr5VeyJtPfMhjaeCaHiN0Ui1yc0VH77lGe50yEBgQfF
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUDv4fTeInqsIRPCWiLp6qg1mMW20wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTIwMTE1Mjg1M1oYDzIxMjYxMTA3
MTUyODUzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQgcfFjqsQu2ptYzUQFWiOYhrZcukSxfexSd3TbnfvHDzr5VeyJtPfM
hjaeCaHiN0Ui1yc0VH77lGe50yEBgQfFo28wbTAdBgNVHQ4EFgQUpEkhEBHzdNGF
Th8FAfVoIiyOMrkwHwYDVR0jBBgwFoAUpEkhEBHzdNGFTh8FAfVoIiyOMrkwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgAv2daGks9r1qpW01OMcI7jdeBMpGfN9ER0ooDc4ngcMCIQDS
QQXQBZVG+eaWRXFJ3NXcFScb5qCbo9vcW04BInfUgw==
-----END CERTIFICATE-----`,
};
