/** How recall looks: by words, by meaning, by both, or again with other words of a model's. */
export const RECALL_MODES = ["keyword", "vector", "hybrid", "agentic"] as const;
export type RecallMode = (typeof RECALL_MODES)[number];
