import type { CallOutcome, Pairing } from "../transcript/pairing.js";

/** A break in the pairing of calls and results, in words that hold for every provider. */
export interface PairingFault {
  readonly at: string;
  /** What was found, to follow "but". */
  readonly found: string;
  readonly outcome?: CallOutcome;
}

/**
 * Lists what is wrong with the pairing: every call is to be answered once, by its own id, before the next turn, and
 * nothing is to answer a call that was not made.
 *
 * @param open - Ids left unanswered on purpose.
 */
export function pairingFaults(pairing: Pairing, open: ReadonlySet<string> = new Set()): PairingFault[] {
  const faults: PairingFault[] = [];
  // What was to stay open and is answered shows in no turn by itself.
  for (const { calls } of open.size > 0 ? pairing.turns : pairing.broken) {
    const ids = new Set<string>();
    for (const outcome of calls) {
      const { id, at } = outcome.call;
      if (ids.has(id))
        faults.push({ at, found: `${at} has the id ${nameOf(id)} of another call in its turn`, outcome });
      ids.add(id);
      const fault = faultOf(outcome, open);
      if (fault) faults.push({ ...fault, outcome });
    }
  }
  for (const { result } of pairing.orphans) {
    const found =
      result.callId === undefined
        ? `${result.at} answers without an id`
        : `${result.at} answers ${nameOf(result.callId)}, which no turn before it asked for`;
    faults.push({ at: result.at, found });
  }
  return faults;
}

function faultOf({ call, answer, late, duplicates }: CallOutcome, open: ReadonlySet<string>): PairingFault | undefined {
  const name = call.id === "" ? call.at : call.id;
  const result = answer ?? late?.result;
  if (open.has(call.id)) {
    return result && { at: result.at, found: `${result.at} answers ${name}, which was to stay open` };
  }
  if (duplicates[0]) return { at: duplicates[0].at, found: `${duplicates[0].at} answers ${name} a second time` };
  if (late)
    return { at: late.result.at, found: `the result of ${name} (${late.result.at}) stands behind ${late.behind.at}` };
  return answer ? undefined : { at: call.at, found: `nothing answers ${name}` };
}

function nameOf(id: string): string {
  return id === "" ? "the empty id" : id;
}
