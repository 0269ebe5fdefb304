/**
 * A prompt with its slots filled: `{{name}}`. What is filled in is never read for slots again. Throws
 * where a slot has no text, or a text no slot: a prompt that is not what was meant is a bug.
 */
export function render(template: string, slots: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(slots, name) ? slots[name] : undefined;
    if (value === undefined) throw new Error(`the prompt has a slot ${name} that nothing fills`);
    used.add(name);
    return value;
  });
  const left = Object.keys(slots).filter((name) => !used.has(name));
  if (left.length > 0) throw new Error(`the prompt has no slot ${left.join(", ")}`);
  return text.replace(/\n{3,}/g, "\n\n");
}

/** A text between fences that are longer than any in it, so that it cannot end them. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith("\n") ? text : `${text}\n`}${fence}`;
}
