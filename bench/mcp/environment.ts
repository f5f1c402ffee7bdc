/** What processes of these benches are given: a home and a runtime folder of their own, and little else. */
export function environmentIn(home: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, XDG_RUNTIME_DIR: home, NO_COLOR: "1" };
}
