/** Entry of the thread that runs a model of vectors: loaded by the first texts, and kept. */
import { loadInstalled } from "../../platform/installed.js";
import { answerInTurn } from "../../platform/thread.js";
import { ENCODER_PACKAGE, encodeAsked, type LocalModel } from "./local-model.js";

/** As much of the package as is used here. */
interface Package {
  env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    cacheDir: string;
  };
  pipeline(task: "feature-extraction", model: string, options: object): Promise<Extract>;
}
type Extract = (texts: string[], options: object) => Promise<{ tolist(): unknown }>;

answerInTurn((given) => {
  const local = given as LocalModel;
  let loading: Promise<Extract> | undefined;
  return async (message) => {
    const { texts } = encodeAsked.parse(message);
    loading ??= load(local);
    // The next one tries again.
    loading.catch(() => (loading = undefined));
    const extract = await loading;
    const output = await extract(texts, { pooling: local.pooling, normalize: true });
    return { vectors: output.tolist() };
  };
});

async function load({ folder, models, model, mayFetch, dtype }: LocalModel): Promise<Extract> {
  const loaded = loadInstalled(folder, ENCODER_PACKAGE) as Package;
  Object.assign(loaded.env, {
    allowRemoteModels: mayFetch,
    allowLocalModels: true,
    localModelPath: models,
    cacheDir: models,
  });
  // One core: it works beside everything else.
  const session_options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  return loaded.pipeline("feature-extraction", model, {
    dtype,
    session_options,
    local_files_only: !mayFetch,
  });
}
