import * as regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

/** Where the outside world may be touched; everywhere else it comes in through a port. */
const EFFECTS_AT_HOME = ["src/platform/**", "test/**", "bench/**"];

const outsideWorld = {
  "no-restricted-globals": [
    "error",
    { name: "process", message: "Use platform/process.ts." },
    { name: "console", message: "Use the terminal port." },
    { name: "setTimeout", message: "Use the clock port." },
    { name: "setInterval", message: "Use the clock port." },
    { name: "setImmediate", message: "Use the clock port." },
    { name: "fetch", message: "Use the http port." },
  ],
  "no-restricted-syntax": [
    "error",
    {
      selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
      message: "Use the clock port.",
    },
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: "Use the clock port." },
    {
      selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
      message: "Use the random port.",
    },
    {
      selector: "CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement",
      message: "Use addAll: a call takes a hundred thousand arguments, and a list may have more.",
    },
    { selector: "ExportDefaultDeclaration", message: "No default exports." },
    { selector: "ExportAllDeclaration", message: "No barrels." },
  ],
};

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "coverage/**"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts", "dictionary/**/*.ts", "web/src/**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "no-control-regex": "off",
      "no-empty": ["error", { allowEmptyCatch: false }],
      eqeqeq: ["error", "always"],
    },
  },
  { files: ["src/**/*.ts"], ignores: EFFECTS_AT_HOME, rules: outsideWorld },
  {
    // What others write goes through them: none may take more than a time that grows with the text's length.
    files: ["src/**/*.ts"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential", ignoreSticky: true }],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
    },
  },
);
