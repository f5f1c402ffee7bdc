/** What memd uses of wink's BM25; the package comes without types. */
declare module "wink-bm25-text-search" {
  export interface Wink {
    /** k1 1.2, b 0.75, unless it is told others. */
    defineConfig(config: {
      fldWeights: Record<string, number>;
      bm25Params?: { k1: number; b: number; k: number };
    }): void;
    definePrepTasks(tasks: ((text: string) => string[])[]): void;
    addDoc(fields: Record<string, string>, id: string): void;
    /** Once; nothing can be added afterwards. Refuses fewer than 3 documents. Decimals: 4 to 9. */
    consolidate(decimals?: number): void;
    search(text: string, limit: number): [id: string, score: number][];
    getTotalDocs(): number;
    /** Term to its number. */
    getTokens(): Readonly<Record<string, number>>;
    /** By a term's number. */
    getIDF(): readonly number[];
    /** What each term adds to the score of the document, by the term's number. */
    getDocs(): Readonly<Record<string, { freq: Readonly<Record<number, number>> }>>;
  }
  function wink(): Wink;
  export { wink as default };
}
