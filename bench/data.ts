export async function benchData(): Promise<Record<string, unknown>> { return {}; }
