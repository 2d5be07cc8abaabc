/** How a scripted model is served over HTTP. */
export interface ServeOptions {
  /**
   * Whether requests are judged by the rules of the provider's API. A request that breaks one of severity error gets the
   * provider's own 4xx, and fails the test even if the loop swallows that. Default: true.
   */
  readonly validate?: boolean;
}
