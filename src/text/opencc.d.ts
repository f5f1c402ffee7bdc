/** OpenCC's character table, which the package exports without types: `traditional simplified` pairs between bars. */
declare module "opencc-js/dict/TSCharacters" {
  const pairs: string;
  export { pairs as default };
}
