import { asList } from "../conversation/index.js";
import type { DialectDefinition, Endpoint, Refusal, WireError, WireRequest } from "../dialects/dialect.js";
import { ToolLoopError, UsageError } from "../errors.js";
import { isRecord, oneLine, readJson } from "../json.js";
import { callerLine, pointAt } from "../network/caller.js";
import { installedGuard } from "../network/installed.js";
import { type ModelRequest, type ScriptedModel, type Spoken, speak } from "../script/index.js";
import type { AssistantTurn } from "../transcript/turn.js";
import { jsonBody, send, sendBroken, streamBody } from "./body.js";
import { type Answerer, answerFault } from "./fault.js";
import { HeldConversations } from "./held.js";
import { judge } from "./judge.js";
import type { ServeOptions } from "./options.js";
import { findRoute, notServed, type Route } from "./route.js";

/** A scripted model, and how it is served. */
export interface Served {
  readonly model: ScriptedModel;
  readonly options: ServeOptions;
  /** Whether it was served in a test, which then answers for it. Else the test that asks does. */
  readonly hasOwner: boolean;
}

/**
 * Answers a request as the provider's API would. It rejects where no answer arrives: a scripted error or an abort is
 * then the reason.
 */
export type Handler = (request: Request) => Promise<Response>;

type Pick = (request: ModelRequest, url: URL) => Served;

/**
 * The scripted model as an HTTP API. Every door (a `fetch`, a server) hands its requests to one of these.
 *
 * @param pick - Which model a request to this URL is for. It is asked once the request is read and whole. What it throws
 * is answered as an error that no SDK tries again.
 */
export function createHandler(pick: Pick): Handler {
  const held = new HeldConversations();
  return async (request) => {
    const line = callerLine();
    const route = findRoute(new URL(request.url).pathname);
    if (route === undefined || request.method !== "POST") return writeError(notServed(request, route));
    return answer({ request, line }, route, pick, held);
  };
}

async function answer(
  { request, line }: { readonly request: Request; readonly line: string | undefined },
  { dialect, endpoint }: Route,
  pick: Pick,
  held: HeldConversations,
): Promise<Response> {
  const read = await readRequest(request, endpoint);
  if (read instanceof ToolLoopError) return refuse(dialect, { reason: "invalid-request", message: read.message });
  const wire = held.complete(read.wire, endpoint);
  if (wire === undefined) return refuse(dialect, { reason: "unknown-conversation" });
  const asked = modelRequest(wire, read.body, dialect, request.signal);
  let picked: Served;
  try {
    picked = pick(asked, new URL(request.url));
  } catch (error) {
    const problem = error instanceof Error ? error : new UsageError(`The test's own code threw ${oneLine(error)}.`);
    pointAt(problem, line);
    installedGuard()?.fail(problem);
    return refuse(dialect, ...mistake(problem));
  }
  const { model, options, hasOwner } = picked;

  const judgement = options.validate === false ? undefined : judge(wire, dialect, model);
  if (judgement !== undefined) pointAt(judgement.error, line);
  const { choice, parallelCalls } = wire;
  const terms = { demands: { choice, parallelCalls }, ...(judgement ? { refusal: judgement.error } : {}) };
  const spoken = await speak(model, asked, terms);
  const refusal = refusalIn(spoken);
  if (refusal !== undefined) {
    pointAt(refusal, line);
    if (!hasOwner) installedGuard()?.fail(refusal);
  }

  if (judgement !== undefined) {
    const { error, violation } = judgement;
    return refuse(dialect, { reason: "invalid-request", message: error.message, ...(violation ? { violation } : {}) });
  }
  return answerSpoken(spoken, request.signal, {
    refuse: (refusal, headers) => refuse(dialect, refusal, headers),
    write(turn) {
      const { model = "scripted", settings } = wire;
      const meta = { id: crypto.randomUUID(), model, settings, created: Math.floor(Date.now() / 1000) };
      const response = wire.streaming ? endpoint.writeStream(turn, meta) : endpoint.writeResponse(turn, meta);
      held.keep(response.id, wire, asList(dialect.writeTurn(turn)));
      const { signal } = request;
      return "chunks" in response ? streamBody(response.chunks, signal) : jsonBody(response.body, signal);
    },
  });
}

const OVERRUNS: readonly string[] = ["script-exhausted", "runaway-loop"];

/** The error of a call that should not have been made so; one call too many is for the script's own test to judge. */
function refusalIn(spoken: Spoken): Error | undefined {
  if (spoken.kind !== "error" || !spoken.unscripted || !(spoken.error instanceof Error)) return undefined;
  return spoken.error instanceof ToolLoopError && OVERRUNS.includes(spoken.error.code) ? undefined : spoken.error;
}

function answerSpoken(spoken: Spoken, signal: AbortSignal, answerer: Answerer): Promise<Response> | Response {
  if (spoken.kind === "turn") return answerTurn(spoken.turn, answerer);
  if (spoken.kind === "fault") return answerFault(spoken.fault, spoken.turn, answerer, signal);
  if (spoken.unscripted) return answerer.refuse(...mistake(spoken.error));
  throw spoken.error;
}

/** What is wrong with the test itself is answered, with a header that keeps every SDK from trying again. */
function mistake(error: unknown): Parameters<Answerer["refuse"]> {
  const message =
    error instanceof ToolLoopError ? error.message : `[vitest-tool-loop] The test's own code threw: ${String(error)}`;
  return [{ reason: "invalid-request", message }, { "x-should-retry": "false" }];
}

/** A stream that was cut has no end; a body that is sent whole can only break. */
function answerTurn(turn: AssistantTurn, { write }: Answerer): Response {
  const body = write(turn);
  return turn.finish === "cut" && body.type === "application/json" ? sendBroken(body, 1) : send(body);
}

interface ReadRequest {
  readonly wire: WireRequest;
  readonly body: Readonly<Record<string, unknown>>;
}

async function readRequest(request: Request, endpoint: Endpoint): Promise<ReadRequest | ToolLoopError> {
  const text = await request.text();
  const json = readJson(text);
  if (!json.ok) return new UsageError(`Cannot read the request: expected a body of JSON, found none: ${json.reason}.`);
  const body = json.value;
  if (!isRecord(body))
    return new UsageError(`Cannot read the request: expected an object, found ${oneLine(body, 80)}.`);
  try {
    return { wire: endpoint.readRequest(body, new URL(request.url).pathname), body };
  } catch (error) {
    if (error instanceof ToolLoopError) return error;
    throw error;
  }
}

function modelRequest(
  { messages, tools, system, model, toolChoice, settings }: WireRequest,
  body: unknown,
  { name: dialect }: DialectDefinition,
  signal: AbortSignal,
): ModelRequest {
  return {
    messages,
    ...(tools && { tools: tools.map(({ at: _, ...tool }) => tool) }),
    ...(system !== undefined && { system }),
    ...(model !== undefined && { model }),
    ...(toolChoice !== undefined && { toolChoice }),
    settings,
    signal,
    dialect,
    body,
  };
}

function refuse(dialect: DialectDefinition, refusal: Refusal, headers?: Readonly<Record<string, string>>): Response {
  // A dialect that is served but has no errors of its own answers in the form most providers share.
  const error = dialect.writeError?.(refusal) ?? {
    status: 400,
    body: { error: { message: refusal.violation?.message ?? refusal.message ?? refusal.reason } },
  };
  return writeError(error, headers);
}

function writeError({ status, body, headers }: WireError, more?: Readonly<Record<string, string>>): Response {
  return Response.json(body, { status, headers: { ...headers, ...more } });
}
