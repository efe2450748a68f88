// What scripts for Node and bash of published skills are compared with. The inputs are ours; the scripts are not here.

import { NODE_LIBRARY, none, type Cases } from './case.ts'

const FRAMEWORK = { 'package.json': '{ "dependencies": { "vite": "1" } }', 'index.html': '<p>x</p>' }
const PLAN = {
  'plan.md': '# Plan\n\n## Task 1: a\n\nDo a.\n\n## Task 2: b\n\n```\n## Task 1\n```\n\nDo b.\n',
}
const DEPLOY: Cases = { good: { args: ['.'], files: FRAMEWORK }, bad: none('nowhere') }

/** By `<skill>/<path within>`. */
export const CORPUS_NODE: Readonly<Record<string, Cases>> = {
  'chart-visualization/scripts/generate.js': {
    good: {
      args: ['spec.json'],
      files: { 'spec.json': '[{ "tool": "generate_pie_chart" }, { "tool": "nope" }, {}]' },
      // Nobody listens there, so that it is the same with and without a network.
      env: { VIS_REQUEST_SERVER: 'http://127.0.0.1:9/' },
    },
    bad: none('{nope'),
  },
  'writing-skills/render-graphs.js': {
    good: { args: ['demo'], files: { 'demo/SKILL.md': '```dot\ndigraph a { b -> c }\n```\n' } },
    bad: none(),
  },
  // As a program it listens: that is start-server.sh's case.
  'brainstorming/scripts/server.cjs': NODE_LIBRARY,
}

/** Of those that need more, too: on a machine that lacks it. */
export const CORPUS_BASH: Readonly<Record<string, Cases>> = {
  'brainstorming/scripts/start-server.sh': {
    good: { args: [], not: 'it starts a server that stays' },
    bad: none('--idle-timeout-minutes', 'soon'),
  },
  'brainstorming/scripts/stop-server.sh': {
    good: {
      args: ['s'],
      files: { 's/state/server.pid': '99999999\n', 's/state/server-instance-id': `${'a'.repeat(40)}\n` },
    },
    bad: none(),
  },
  'subagent-driven-development/scripts/task-brief': {
    good: { args: ['plan.md', '2', 'brief.md'], files: PLAN },
    bad: { args: ['plan.md', '9', 'brief.md'], files: PLAN },
  },
  'subagent-driven-development/scripts/sdd-workspace': {
    good: { args: ['plan.md'], files: PLAN },
    bad: none('nowhere.md'),
  },
  'subagent-driven-development/scripts/review-package': {
    good: { args: ['plan.md', 'a', 'b', 'out.diff'], files: PLAN },
    bad: none('plan.md'),
  },
  'systematic-debugging/find-polluter.sh': {
    good: {
      args: ['made.txt', 'src/**/*.test.ts'],
      files: { 'src/a.test.ts': '', 'src/deep/b.test.ts': '', 'src/c.ts': '' },
    },
    bad: none(),
  },
  'find-skills/scripts/install-skill.sh': {
    good: { args: ['owner/repo@demo'], files: { 'deer-flow.code-workspace': '{}' } },
    bad: none('demo'),
  },
  'claude-to-deerflow/scripts/status.sh': { good: none(), bad: none('nope') },
  'claude-to-deerflow/scripts/chat.sh': { good: none('hello "you"'), bad: none() },
  'vercel-deploy-claimable/scripts/deploy.sh': DEPLOY,
  'deploy-to-vercel/resources/deploy.sh': DEPLOY,
  'deploy-to-vercel/resources/deploy-codex.sh': DEPLOY,
  'agent-platform-deploy/scripts/config_gcloud_cli.sh': {
    good: none('prod', 'project', 'europe-west1', 'me@example.com'),
    bad: none('prod', 'project'),
  },
  'agent-platform-inference/scripts/verify_all.sh': {
    good: { args: [], files: { 'scripts/a.py': 'print(1)\n' } },
    bad: { args: [], files: { 'scripts/a.py': 'raise SystemExit(3)\n' } },
  },
  'web-artifacts-builder/scripts/bundle-artifact.sh': { good: { args: [], files: FRAMEWORK }, bad: none() },
  'web-artifacts-builder/scripts/init-artifact.sh': { good: none('app'), bad: none() },
}
