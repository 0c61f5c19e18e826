import tseslint from 'typescript-eslint'

const size = {
  'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 35, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 4],
  'max-depth': ['error', 3],
  complexity: ['error', 12],
}

export default tseslint.config(
  { ignores: ['node_modules/', '.cache/', '.run/', 'coverage/', 'eslint.config.js'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['cli/driveaway.js', 'evaluator/showroom/*.js', 'test/explorer/*.js', 'explorer/page/offline.js', 'charts/driveaway/files/release-test.mjs'] } } },
    rules: {
      ...size,
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' }],
      '@typescript-eslint/no-redeclare': 'off',
    },
  },
  // Commands talk to the terminal.
  { files: ['cli/**', 'tools/**', 'crds/generate.ts', 'charts/**', 'test/**', 'bench/**'], rules: { 'no-console': 'off' } },
  // A test reads top to bottom; its length is that of the story it tells.
  {
    files: ['test/**'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
    },
  },
)
