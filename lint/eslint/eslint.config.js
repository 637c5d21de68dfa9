// What `scripts/lint js` checks: the page's modules, their tests, what checks pages in a browser, and a client of the gateway.
import js from '@eslint/js';
import imports from 'eslint-plugin-import';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    // A name that its module does not export stops every script of the page.
    plugins: { import: imports },
    rules: { 'import/named': 'error', 'import/namespace': 'error', 'import/no-unresolved': ['error', { ignore: ['^node:'] }] },
  },
  {
    languageOptions: { ecmaVersion: 2022, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      curly: 'error',
      'default-case-last': 'error',
      eqeqeq: 'error',
      'max-len': ['error', { code: 140, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreUrls: true }],
      'no-else-return': 'error',
      'no-implicit-globals': 'error',
      'no-param-reassign': 'error',
      'no-promise-executor-return': 'error',
      'no-shadow': 'error',
      'no-throw-literal': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', { functions: false, variables: false }], // functions stand in reading order
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-arrow-callback': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      radix: 'error',
    },
  },
  {
    files: ['**/resources/web/**'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/test/js/**', '**/accessibility/**', '**/node-opcua/**'],
    languageOptions: { globals: globals.node },
  },
];
