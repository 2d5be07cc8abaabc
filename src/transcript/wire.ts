import { oneLine, readJson } from "../json.js";
import { Place } from "./place.js";
import type { CallArguments, CallPart, Part, ResultPart, Role, TextPart, TranscriptMessage } from "./types.js";

/*
 * The items that a conversation has by the thousand, as classes: they know their place without spelling it out. What is
 * rare in a conversation is read into plain objects.
 */

type Holder = string | { readonly at: string };

/** The list that messages are read from, and how its dialect reads one. One object for all of them. */
export interface WireList {
  /** The path of the list. */
  readonly at: string;
  roleOf(message: Record<string, unknown>): Role;
  /** @param at - The message's place. */
  readParts(message: Record<string, unknown>, at: Holder & object, role: Role): readonly Part[];
}

/** A message as read from a wire. */
export class WireMessage extends Place implements TranscriptMessage {
  declare readonly wire: Record<string, unknown>;
  declare private read: readonly Part[] | undefined;

  constructor(list: WireList, index: number, wire: Record<string, unknown>) {
    super(list, index);
    this.wire = wire;
    this.read = undefined;
  }

  get index(): number {
    return this.key as number;
  }

  get role(): Role {
    return (this.within as WireList).roleOf(this.wire);
  }

  get parts(): readonly Part[] {
    return (this.read ??= (this.within as WireList).readParts(this.wire, this, this.role));
  }
}

/** Text as read from a wire. */
export class WireText extends Place implements TextPart {
  declare readonly kind: "text";
  declare readonly text: string;
  declare readonly wire: unknown;

  constructor(within: Holder, key: string | number, text: string, wire: unknown) {
    super(within, key);
    this.kind = "text";
    this.text = text;
    this.wire = wire;
  }
}

/** How a wire holds a call's arguments: as the JSON text the model wrote, already parsed, or as free text. */
export type ArgumentsForm = "json" | "value" | "free text";

/** A call as read from a wire. Its arguments are converted when first asked for: most readers never ask. */
export class WireCall extends Place implements CallPart {
  declare readonly kind: "call";
  declare readonly wire: unknown;
  declare readonly id: string;
  declare readonly name: string;
  declare private readonly held: unknown;
  declare private readonly form: ArgumentsForm;

  /**
   * @param within - The path of the call, or of what holds it.
   * @param key - The index or path in there; `""` where `within` is the call's own path.
   * @param held - The arguments as the wire holds them, in the form that `form` says.
   */
  constructor(
    within: Holder,
    key: string | number,
    wire: unknown,
    id: string,
    name: string,
    held: unknown,
    form: ArgumentsForm = "json",
  ) {
    super(within, key);
    this.kind = "call";
    this.wire = wire;
    this.id = id;
    this.name = name;
    this.held = held;
    this.form = form === "json" && typeof held !== "string" ? "value" : form;
  }

  get custom(): boolean {
    return this.form === "free text";
  }

  get arguments(): string {
    return this.form === "value" || typeof this.held !== "string" ? writeValue(this.held) : this.held;
  }

  get parsed(): CallArguments {
    const { held, form } = this;
    if (form !== "json") return { ok: true, value: held };
    const text = String(held);
    return text.trim() === "" ? { ok: true, value: {} } : readJson(text);
  }
}

/** A result as read from a wire. */
export class WireResult extends Place implements ResultPart {
  declare readonly kind: "result";
  declare readonly wire: unknown;
  declare readonly role: Role;
  declare readonly callId: string | undefined;
  declare readonly name: string | undefined;
  declare readonly content: string | readonly Part[] | undefined;
  declare readonly raw: unknown;
  declare readonly malformed: boolean;
  declare readonly isError: boolean | undefined;

  constructor(within: Holder, key: string | number, wire: unknown, fields: ResultFields) {
    super(within, key);
    this.kind = "result";
    this.wire = wire;
    this.role = fields.role;
    this.callId = typeof fields.callId === "string" ? fields.callId : undefined;
    this.name = typeof fields.name === "string" ? fields.name : undefined;
    this.content = fields.content;
    this.raw = fields.raw;
    this.malformed = fields.malformed;
    this.isError = typeof fields.isError === "boolean" ? fields.isError : undefined;
  }
}

/** What a wire holds of a result. `callId`, `name` and `isError` may be of any type: what is no such thing is none. */
export interface ResultFields {
  readonly role: Role;
  readonly callId: unknown;
  readonly name?: unknown;
  readonly content: string | readonly Part[] | undefined;
  readonly raw: unknown;
  readonly malformed: boolean;
  readonly isError?: unknown;
}

function writeValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // A cycle or a BigInt is no JSON: it is shown, so that its turn can still be printed.
    return oneLine(value);
  }
}
