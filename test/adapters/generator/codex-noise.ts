/** Lines of a rollout that hold copies, or words that are not the person's and not the agent's to them. */
import { message, type Rollout } from "./codex-lines.js";
import type { Yard } from "./yard.js";

export function addNoise(yard: Yard, rollout: Rollout, at: number): void {
  const word = yard.prose.word();
  const withEvents = rollout.build !== "bare";
  if (yard.happens("compacted, with a replacement history", 0.04)) compact(yard, rollout, at, word);
  if (withEvents && yard.happens("thread_rolled_back", 0.02))
    rollout.event(at, { type: "thread_rolled_back", num_turns: 1 });
  if (yard.happens("unknown types", 0.05)) {
    rollout.add("world_state", at, { text: `world ${word}` });
    rollout.add("token_usage_record", at, { total: 3 });
    rollout.add("inter_agent_communication", at, { author: "/root", content: `between agents ${word}` });
    rollout.add("retained_context", at, { content: [{ type: "input_text", text: `retained ${word}` }] });
    rollout.add("realtime_item", at, { item: message("user", `realtime ${word}`) });
    rollout.add("security_risk_score", at, { score: 0 });
    rollout.add("of-tomorrow", at, { type: "user_message", message: `of tomorrow ${word}` });
  }
  if (yard.happens("other response items", 0.08)) {
    rollout.item(at, { type: "web_search_call", status: "completed", action: { query: word } });
    rollout.item(at, { type: "local_shell_call", call_id: word, action: { command: ["ls"] } });
    rollout.item(at, { type: "item_of_tomorrow", role: "user", text: `tomorrow's item ${word}` });
  }
  if (withEvents && yard.happens("other events", 0.08)) {
    rollout.event(at, { type: "exec_command_end", aggregated_output: `printed ${word}` });
    rollout.event(at, { type: "background_event", message: `in the background ${word}` });
    rollout.event(at, { type: "error", message: `stream error ${word}` });
    rollout.event(at, {
      type: "item_completed",
      item: { type: "Reasoning", id: word, summary_text: [`reasoned ${word}`], raw_content: [] },
    });
  }
}

function compact(yard: Yard, rollout: Rollout, at: number, word: string): void {
  const summary = `Another model began this task and left a summary: ${word}`;
  const copies = rollout.said.filter((said) => said.text.length < 4_000).slice(-6);
  const history = copies.map((said) => message(said.role, said.text));
  if (rollout.build === "bare") rollout.item(at, { type: "compaction", encrypted_content: word });
  else if (yard.happens("compaction summaries as the user's", 0.5))
    rollout.item(at, message("user", summary));
  rollout.add("compacted", at, {
    message: summary,
    replacement_history: [...history, message("user", summary)],
  });
  if (rollout.build !== "bare") rollout.event(at + 1, { type: "context_compacted" });
}
