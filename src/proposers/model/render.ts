/**
 * A prompt with its slots filled: `{{name}}`. What is filled in stays as it is, to the byte, and is
 * never read for slots again; a line that had nothing but an empty slot goes. Throws where a slot has
 * no text, or a text no slot: a prompt that is not what was meant is a bug.
 */
export function render(template: string, slots: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  const text = template.replace(/\{\{(\w+)\}\}(\n?)/g, (_, name: string, lineEnd: string) => {
    const value = Object.hasOwn(slots, name) ? slots[name] : undefined;
    if (value === undefined) throw new Error(`the prompt has a slot ${name} that nothing fills`);
    used.add(name);
    return value === "" ? "" : `${value}${lineEnd}`;
  });
  const left = Object.keys(slots).filter((name) => !used.has(name));
  if (left.length > 0) throw new Error(`the prompt has no slot ${left.join(", ")}`);
  return text;
}

/** A text between fences that are longer than any in it, so that it cannot end them. */
export function fenced(text: string, language = ""): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith("\n") ? text : `${text}\n`}${fence}`;
}
