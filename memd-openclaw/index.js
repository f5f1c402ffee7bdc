/** What OpenClaw loads as the plugin `memd`; `memd connect openclaw` names this folder in its settings. */
import { plugin } from "../dist/adapters/openclaw/plugin/entry.js";

export default plugin;
