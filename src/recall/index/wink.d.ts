/** What memd uses of wink's BM25; the package comes without types. */
declare module "wink-bm25-text-search" {
  export interface Wink<Values> {
    defineConfig(config: {
      fldWeights: Record<string, number>;
      bm25Params?: { k1: number; b: number; k: number };
      ovFldNames?: string[];
    }): void;
    definePrepTasks(tasks: ((text: string) => string[])[]): void;
    addDoc(fields: Record<string, unknown>, id: string): void;
    /** Once; nothing can be added afterwards. Refuses fewer than 3 documents. */
    consolidate(decimals?: number): void;
    search(text: string, limit: number, filter?: (values: Values) => boolean): [id: string, score: number][];
  }
  function wink<Values>(): Wink<Values>;
  export { wink as default };
}
