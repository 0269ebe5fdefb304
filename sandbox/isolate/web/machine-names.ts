import { isMembers } from "./machine-data.ts";

/** Names by what they stand for. */
export type Names = {
  readonly guards: Set<string>;
  readonly actions: Set<string>;
  readonly invoked: Set<string>;
};

/** The names at all places of a configuration where XState wants an implementation. */
export function namesIn(config: unknown): Names {
  const names: Names = { guards: new Set(), actions: new Set(), invoked: new Set() };
  const add = (to: Set<string>, value: unknown, key: string): void => {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const name = isMembers(each) ? each[key] : each;
      if (typeof name === "string") to.add(name);
    }
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value as unknown[]) visit(each);
    if (!isMembers(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "guard") add(names.guards, member, "type");
      else if (key === "actions" || key === "entry" || key === "exit") {
        add(names.actions, member, "type");
      } else {
        if (key === "invoke") add(names.invoked, member, "src");
        if (key !== "context" && key !== "input" && key !== "output") visit(member);
      }
    }
  };
  visit(config);
  return names;
}
