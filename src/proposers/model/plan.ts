import type { ArmChoice } from "../../domain/bandit.ts";

/** How one sample of a group is asked for. */
export type Planned = {
  /** Its name among the ways to ask; null where nothing is learnt. */
  readonly arm: string | null;
  readonly temperature: number;
  /** What is said at the end of its prompt, before the form of the answer; empty: nothing. */
  readonly approach: string;
};

type Planning = {
  readonly settings: { readonly samples: number; readonly temperature: number };
  /** By name: what a prompt may end with. */
  readonly approaches: Readonly<Record<string, string>>;
  readonly model: string;
  readonly failureClass: string;
  readonly seed: number;
  /** Names of arms, one for each sample, by what was learnt; absent where there is no ledger. */
  readonly chooseArms?: (wanted: ArmChoice) => readonly string[];
};

/** Temperatures to choose from, by the setting. */
const SCALES = [0.5, 1, 1.5] as const;

/**
 * How each sample is asked for. The first is the likeliest answer, at temperature 0 and without a
 * word more. The others spread around the setting; or, where it was learnt what is worth asking, each
 * has the temperature and the approach that are chosen for it.
 */
export function planFor(planning: Planning): readonly Planned[] {
  const { settings, model, failureClass, seed, chooseArms } = planning;
  const { samples, temperature } = settings;
  if (chooseArms === undefined) return spread(settings);
  const first = { arm: nameOf(model, 0, PLAIN), temperature: 0, approach: "" };
  const known = new Map(armsOf(planning).map((one) => [one.arm, one] as const));
  const arms = [...known.keys()];
  const chosen = chooseArms({ failureClass, arms, count: samples - 1, seed });
  const others = chosen.map((arm) => known.get(arm) ?? { arm: null, temperature, approach: "" });
  return [first, ...others];
}

/** The approach without a word. */
const PLAIN = "plain";

function armsOf({ settings, approaches, model }: Planning): readonly (Planned & { arm: string })[] {
  const temperatures = new Set(SCALES.map((scale) => rounded(settings.temperature * scale)));
  return [...temperatures].flatMap((temperature) =>
    Object.entries({ [PLAIN]: "", ...approaches }).map(([name, approach]) => {
      return { arm: nameOf(model, temperature, name), temperature, approach };
    }),
  );
}

function nameOf(model: string, temperature: number, approach: string): string {
  return `${model.slice(0, 200)} t=${temperature} ${approach}`;
}

function spread({ samples, temperature }: Planning["settings"]): readonly Planned[] {
  return Array.from({ length: samples }, (_, at) => {
    const scale = at === 0 ? 0 : 0.5 + at / Math.max(1, samples - 1);
    return { arm: null, temperature: rounded(temperature * scale), approach: "" };
  });
}

function rounded(temperature: number): number {
  return Math.round(100 * temperature) / 100;
}
