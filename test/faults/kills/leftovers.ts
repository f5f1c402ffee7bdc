/** What must go when this process goes, however it ends: places, mounts, the processes in them. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const owed = new Set<() => void>();

/** The same, to be called when the time has come; done once, at the latest when this process ends. */
export function atTheLatestAtExit(clear: () => void): () => void {
  if (owed.size === 0) {
    process.on("exit", clearAll);
    for (const signal of SIGNALS) process.on(signal, stop);
  }
  const once = (): void => {
    if (!owed.delete(once)) return;
    if (owed.size === 0) {
      process.off("exit", clearAll);
      for (const signal of SIGNALS) process.off(signal, stop);
    }
    clear();
  };
  owed.add(once);
  return once;
}

function clearAll(): void {
  for (const clear of [...owed].reverse()) {
    try {
      clear();
    } catch {
      // The others still have to go.
    }
  }
}

function stop(): never {
  process.exit(130);
}
