/**
 * Reads CSV (RFC 4180) with a head line as a list of records; every value stays text. Without
 * `delimiter` it is the one of `,` `;` tab and `|` that the head line has most, outside quotes.
 * A byte order mark and empty lines are skipped. Missing fields at the end of a row are empty; a row
 * with too many fields or a quote that is never closed throws, with its line.
 */
export function csvToRecords(text: string, delimiter?: string): Record<string, string>[] {
  if (delimiter !== undefined && delimiter.length !== 1) {
    throw new Error(`the delimiter must be one character, not ${JSON.stringify(delimiter)}`);
  }
  const source = text.replace(/^\uFEFF/, "");
  const [head, ...rows] = rowsOf(source, delimiter ?? delimiterOf(source));
  if (head === undefined) return [];
  const names = namesOf(head.fields);
  return rows.map(({ fields, line }) => {
    if (fields.length > names.length) {
      throw new Error(`line ${line} has ${fields.length} fields, the head has ${names.length}`);
    }
    // fromEntries makes a column even of one named `__proto__`.
    return Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ""]));
  });
}

type Row = { fields: string[]; line: number };

function rowsOf(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { fields: [], line: 1 };
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const field = fieldAt(text, at, delimiter, line);
    row.fields.push(field.value);
    line += field.breaks;
    at = field.end;
    if (text[at] === delimiter) {
      at += 1;
      if (at === text.length) row.fields.push("");
      continue;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    rows.push(row);
    row = { fields: [], line };
  }
  if (row.fields.length > 0) rows.push(row);
  return rows.filter(({ fields }) => fields.length > 1 || fields[0] !== "");
}

type Field = { value: string; end: number; breaks: number };

function fieldAt(text: string, start: number, delimiter: string, line: number): Field {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== delimiter && !isBreak(text[end])) end += 1;
    return { value: text.slice(start, end), end, breaks: 0 };
  }
  let value = "";
  let at = start + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close < 0) throw new Error(`a quote on line ${line} is never closed`);
    value += text.slice(at, close);
    at = close + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  const breaks = value.split(/\r\n|\r|\n/).length - 1;
  if (at < text.length && text[at] !== delimiter && !isBreak(text[at])) {
    throw new Error(`text after a closing quote on line ${line + breaks}`);
  }
  return { value, end: at, breaks };
}

function isBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

function delimiterOf(text: string): string {
  const head = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replace(/"(?:[^"]|"")*"/g, "") ?? "";
  const counted = [",", ";", "\t", "|"].map((candidate) => ({
    candidate,
    count: head.split(candidate).length,
  }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).candidate;
}

/** Names of columns: trimmed, never empty, never twice. */
function namesOf(head: string[]): string[] {
  const names: string[] = [];
  for (const [at, title] of head.entries()) {
    const name = title.trim() === "" ? `column_${at + 1}` : title.trim();
    let unique = name;
    for (let count = 2; names.includes(unique); count += 1) unique = `${name}_${count}`;
    names.push(unique);
  }
  return names;
}
