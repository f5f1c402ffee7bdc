/** What `--help` shows of each command in use, by its path. A test parses every line. */
import type { Command } from "commander";

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  memd: ["memd init my-agent", "memd start -w my-agent --detach", 'memd search "deploy timeout" -w my-agent'],
  open: ["memd open", "memd open --no-browser", "memd open --as lin/main"],
  init: ["memd init my-agent", "memd init --sample"],
  start: [
    "memd start",
    "memd start --detach --port 7077",
    "memd start --sample --until-idle",
    "memd start --root agents",
  ],
  stop: ["memd stop -w my-agent", "memd stop --root agents"],
  workspaces: ["memd workspaces --root agents", "memd workspaces --json"],
  status: ["memd status", "memd status --json"],
  archive: ["memd archive --now", "memd archive --now --dry-run"],
  search: [
    'memd search "deploy timeout"',
    'memd search ferry --from "last week" --to yesterday',
    "memd search 渡轮 --from 去年十月 --kind message fact",
    'memd search "who owns the key" --as lin/group:harbor --explain',
    "memd search ferry --kind message --porcelain",
  ],
  events: [
    "memd events",
    'memd events "moved house" --from 2026',
    "memd events --kind fact --user lin -n 20",
  ],
  scopes: ["memd scopes", "memd scopes group:harbor"],
  read: [
    "memd read memory/2026-03-07.md:12",
    "memd read notes/boat.md:3",
    "memd read memory/2026-03-07.md --from 40 --to 60",
  ],
  mcp: ["memd mcp -w my-agent", "memd mcp --as lin/main --tools all"],
  reindex: ["memd reindex"],
  prompt: ["memd prompt --explain", "memd prompt --for lin/main/s-1"],
  say: [
    'memd say "What did we decide about refunds?"',
    "cat letter.txt | memd say - --user lin --scope group:harbor",
  ],
  end: [
    'memd end --memo "Booked the ferry." --observe "Lin sails on 7 May 2026."',
    'memd end --memo "Said goodbye." --session s-1 --close',
  ],
  queue: ["memd queue list"],
  "queue list": ["memd queue list", "memd queue list --json"],
  "queue show": ["memd queue show 4f2a"],
  "queue retry": ["memd queue retry 4f2a"],
  "queue drop": ["memd queue drop 4f2a"],
  chat: ["memd chat", 'memd chat "When does the ferry leave?"'],
  memory: ["memd memory list", 'memd memory add "Lin drinks oolong."'],
  "memory list": ["memd memory list", "memd memory list --as lin/main"],
  "memory add": [
    'memd memory add "Lin drinks oolong."',
    'memd memory add "Deploys run on Fridays." --heading Work',
  ],
  "memory update": ['memd memory update 2 "Lin drinks green tea."'],
  "memory remove": ["memd memory remove 2", "memd memory remove oolong"],
  "add-document": [
    'memd add-document notes/ferry.md --title "The ferry"',
    "cat minutes.txt | memd add-document - --id minutes",
  ],
  documents: ["memd documents list"],
  "documents list": ["memd documents list"],
  "documents remove": ["memd documents remove minutes"],
  profile: ["memd profile list", "memd profile show lin"],
  "profile list": ["memd profile list"],
  "profile show": ["memd profile show lin", "memd profile show group:harbor"],
  "profile history": ["memd profile history lin"],
  "profile diff": ["memd profile diff lin"],
  "profile rollback": ["memd profile rollback lin"],
  "profile search": ["memd profile search sailing -n 3"],
  token: ["memd token add --as lin/main --name laptop", "memd token list"],
  "token add": ["memd token add --as lin/main --name laptop", "memd token add --as lin/main --session s-1"],
  "token list": ["memd token list"],
  "token remove": ["memd token remove laptop"],
  topics: ["memd topics", 'memd topics activate "the boat we looked at"'],
  "topics list": ["memd topics list --all", "memd topics list --stats --as lin/main"],
  "topics show": ["memd topics show ferry"],
  "topics activate": [
    'memd topics activate "the boat we looked at"',
    'memd topics activate boat --from "last month"',
  ],
  "topics rename": ['memd topics rename ferry "The ferry to Gulangyu"'],
  "topics merge": ["memd topics merge ferry boats"],
  "topics split": ["memd topics split ferry"],
  "topics archive": ["memd topics archive ferry"],
  "topics review": ["memd topics review"],
  forget: [
    "memd forget --session s-1 --dry-run",
    "memd forget --scope group:harbor --yes",
    "memd forget --id m-42",
  ],
  resummarize: ["memd resummarize --dry-run", "memd resummarize --all --from 2026-01 --to 2026-02"],
  prune: ["memd prune --dry-run"],
  usage: ["memd usage"],
  doctor: ["memd doctor -w my-agent"],
  embed: ["memd embed", "memd embed accept"],
  "embed status": ["memd embed status --json"],
  "embed accept": ["memd embed accept", "memd embed accept bge-m3:latest"],
  "embed install": [
    "memd embed install",
    "memd embed install multilingual-e5-small --from ~/models/e5 --yes",
  ],
  "embed decline": ["memd embed decline"],
  logs: ["memd logs -n 100", "memd logs --follow"],
  config: ["memd config check"],
  "config trust": ["memd config trust -w agents/lin", "memd config trust --withdraw"],
  "config check": ["memd config check", "memd config check --json"],
  service: ["memd service install -w my-agent"],
  "service install": ["memd service install -w my-agent", "memd service install --port 7077 --dry-run"],
  "service remove": ["memd service remove -w my-agent"],
  "service status": ["memd service status --json"],
  completion: [
    "source <(memd completion bash)",
    "memd completion fish > ~/.config/fish/completions/memd.fish",
  ],
  hook: ["memd hook claude-code -w my-agent < event.json"],
  import: [
    "memd import ~/.claude/projects --list",
    'memd import export.zip --since "last year" --tools',
    "cat lines.jsonl | memd import -",
    "memd import my-agent.tar.gz -w my-agent",
  ],
  export: [
    "memd export my-agent.tar.gz",
    "memd export vault --vault --since 2026",
    "memd export - --messages --scope main",
  ],
  connect: ["memd connect claude-code", "memd connect codex --dry-run"],
  disconnect: ["memd disconnect claude-code"],
};

/** To every command that has some. */
export function withExamples(program: Command): Command {
  show(program, EXAMPLES["memd"]);
  const below = (command: Command, above: string): void => {
    for (const inner of command.commands) {
      const path = `${above} ${inner.name()}`.trim();
      show(inner, EXAMPLES[path]);
      below(inner, path);
    }
  };
  below(program, "");
  return program;
}

function show(command: Command, examples: readonly string[] = []): void {
  if (examples.length === 0) return;
  const lines = examples.map((example) => `  ${example}\n`).join("");
  command.addHelpText("after", `\n${examples.length === 1 ? "Example" : "Examples"}:\n${lines.trimEnd()}`);
}
