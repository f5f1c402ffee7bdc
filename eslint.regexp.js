import tseslint from "typescript-eslint";
import * as regexp from "eslint-plugin-regexp";
export default tseslint.config({ files: ["src/**/*.ts"], languageOptions: { parser: tseslint.parser }, plugins: { regexp: regexp.default ?? regexp }, rules: { "regexp/no-super-linear-backtracking": ["error", { report: "potential" }], "regexp/no-super-linear-move": ["error", { report: "potential", ignoreSticky: true }] } });
