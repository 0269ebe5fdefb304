/** A metric as the text format of Prometheus tells it. */
export type Exposed = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
};

type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Reads the text format 0.0.4. Throws for what is none of it. */
export function parseExposition(text: string): readonly Exposed[] {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const found: (Exposed & { samples: Sample[] })[] = [];
  let help: { name: string; text: string } | null = null;
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") help = { name, text: rest };
    else if (kind === "TYPE") {
      if (help?.name !== name) throw new Error(`${name} has no HELP before its TYPE`);
      if (found.some((one) => one.name === name)) throw new Error(`${name} comes twice`);
      found.push({ name, type: rest, help: help.text, samples: [] });
    } else {
      const sample = sampleOf(line);
      const of = found.at(-1);
      const suffix = sample.name.slice(of?.name.length);
      const isOf = of !== undefined && sample.name.startsWith(of.name);
      const isPart = of?.type === "histogram" && /^_(bucket|sum|count)$/.test(suffix);
      if (!isOf || !(suffix === "" || isPart)) throw new Error(`${line} is of no metric`);
      of.samples.push(sample);
    }
  }
  return found;
}

function sampleOf(line: string): Sample {
  const [, name, inner = "", value] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`);
  const number = value === "+Inf" ? Infinity : Number(value);
  if (Number.isNaN(number) && value.toLowerCase() !== "nan")
    throw new Error(`not a number: ${line}`);
  const pairs = [...inner.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/g)];
  if (pairs.map(([whole]) => whole).join("") !== inner) throw new Error(`bad labels: ${line}`);
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])) as Sample["labels"],
    value: number,
  };
}

/**
 * What `promtool check metrics` complains of, and what Prometheus' naming conventions ask for:
 * https://prometheus.io/docs/practices/naming/.
 */
export function lint(metrics: readonly Exposed[]): readonly string[] {
  return metrics.flatMap((metric) =>
    problemsOf(metric).map((problem) => `${metric.name}: ${problem}`),
  );
}

function problemsOf({ name, type, help, samples }: Exposed): readonly string[] {
  const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
  const ofData = labels.filter((label) => !(type === "histogram" && label === "le"));
  const series = samples.map((sample) => `${sample.name} ${JSON.stringify(sample.labels)}`);
  const wrong: readonly (readonly [boolean, string])[] = [
    [help.trim() === "", "no help"],
    [!/^[a-z][a-z0-9_]*$/.test(name), "not in snake case"],
    [type === "counter" && !name.endsWith("_total"), "a counter ends in _total"],
    [type !== "counter" && name.endsWith("_total"), "only a counter ends in _total"],
    [/_(count|sum|bucket)$/.test(name), "ends like a part of a histogram"],
    [/_(counter|gauge|histogram|summary)(_|$)/.test(name), "names its type"],
    [/_(ms|milliseconds|minutes|hours|kb|mb|kilobytes|percent)(_|$)/.test(name), "no base unit"],
    [ofData.some((label) => !/^[a-z][a-z0-9_]*$/.test(label)), "a label not in snake case"],
    [ofData.some((label) => /^(le|quantile|job|instance|__.*)$/.test(label)), "a reserved label"],
    [new Set(series).size < series.length, "a series comes twice"],
    [type === "histogram" && !samples.every(isWithinInf(samples)), "no bucket +Inf"],
  ];
  return wrong.flatMap(([isSo, problem]) => (isSo ? [problem] : []));
}

/** Every series of a histogram has a bucket for all of it. */
function isWithinInf(samples: readonly Sample[]): (sample: Sample) => boolean {
  const whole = samples.filter(({ labels }) => labels["le"] === "+Inf").map(seriesOf);
  return (sample) => whole.includes(seriesOf(sample));
}

/** A sample's labels without its bucket, as one text. */
function seriesOf({ labels }: Sample): string {
  const pairs = Object.entries(labels).filter(([name]) => name !== "le");
  return JSON.stringify(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
