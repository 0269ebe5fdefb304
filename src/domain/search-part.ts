/**
 * Parts of the search that can be switched off, so that it can be measured what each is worth:
 * without localisation all places are alike; without agreement the choice is by rank alone;
 * without regexes none is made from what reaches it.
 */
export const SEARCH_PARTS = ["localisation", "synthesis", "pairs", "agreement", "regexes"] as const;
export type SearchPart = (typeof SEARCH_PARTS)[number];
