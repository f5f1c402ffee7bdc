/** Numbers and times in sentences. Pure. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `2026-01-28 14:03` in this machine's zone, from an ISO instant. */
export function shortTime(iso: string): string {
  const at = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function seconds(ms: number): string {
  return ms < 950 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
