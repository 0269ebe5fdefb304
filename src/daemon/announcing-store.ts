import type { ModelCall } from "../domain/budget.ts";
import type { LedgerListener } from "../ports/ledger-listener.ts";
import type { Store } from "../ports/store.ts";

/**
 * A store that tells listeners of what it has taken: what is measured is measured here, once, and
 * not in the stages. Costs a look at an empty list where nobody listens.
 */
export function announcing<S extends Store>(
  store: S,
): { readonly store: S; readonly listen: (listener: LedgerListener) => void } {
  const listeners: LedgerListener[] = [];
  /** Model calls under way. */
  const asked = new Map<string, ModelCall>();
  const announced: Pick<Store, "addRun" | "addGroup" | "reserveModelCall" | "endModelCall"> = {
    addRun(run) {
      const isNew = store.addRun(run);
      if (isNew) for (const { onRun } of listeners) onRun(run);
      return isNew;
    },
    addGroup(group, candidates) {
      store.addGroup(group, candidates);
      for (const { onGroup } of listeners) onGroup(group, candidates);
    },
    reserveModelCall(call, caps) {
      const problems = store.reserveModelCall(call, caps);
      if (problems.length === 0) asked.set(call.id, call);
      return problems;
    },
    endModelCall(id, end) {
      store.endModelCall(id, end);
      const call = asked.get(id);
      asked.delete(id);
      if (call !== undefined) for (const { onModelCall } of listeners) onModelCall(call, end);
    },
  };
  return {
    store: { ...store, ...announced },
    listen: (listener) => void listeners.push(listener),
  };
}
