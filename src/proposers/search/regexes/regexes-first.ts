import type { Suspicion } from "../../../domain/incident.ts";
import type { Mutation } from "../../../ports/editor.ts";
import type { ProposalRequest } from "../../../ports/proposer.ts";
import { regexRepairs, sightingOf, type RepairPorts } from "./repairs.ts";

/**
 * Repairs of regular expressions that are known to decide failing cases, then those of `others`,
 * asked with regular expressions as places of their own: most are made where every case passes.
 * None comes twice.
 */
// oxlint-disable-next-line max-params
export async function* regexesFirst(
  request: ProposalRequest,
  ports: RepairPorts,
  others: (request: ProposalRequest) => AsyncIterable<readonly Mutation[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly Mutation[]> {
  const sighting = await sightingOf(request, ports, signal);
  const known = new Set<string>();
  if (sighting !== null) {
    for await (const mutations of regexRepairs(sighting, request, ports, signal)) {
      for (const mutation of mutations) known.add(effectOf(mutation));
      yield mutations;
    }
  }
  for await (const mutations of others(withPlaces(request, sighting?.places ?? []))) {
    yield mutations.filter((mutation) => !known.has(effectOf(mutation)));
  }
}

function withPlaces(request: ProposalRequest, places: readonly Suspicion[]): ProposalRequest {
  const { diagnosis } = request;
  const { suspicions } = diagnosis;
  if (suspicions.length === 0) return request;
  return { ...request, diagnosis: { ...diagnosis, suspicions: [...suspicions, ...places] } };
}

function effectOf({ edits }: Mutation): string {
  return JSON.stringify(edits);
}
