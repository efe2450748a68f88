// What scripts of a folder are run with to compare our Python with the machine's: by a script's name, one input that it
// should like and one that it should not. Inputs are ours; the scripts are not here.

export interface Case {
  readonly args: readonly string[]
  readonly stdin?: string
  /** Files below the workspace. */
  readonly files?: Readonly<Record<string, string>>
}

export interface Cases {
  readonly good: Case
  readonly bad: Case
}

const json = (value: unknown): string => JSON.stringify(value)
const none = (...args: readonly string[]): Case => ({ args })

const SKILL = {
  'demo/SKILL.md': '---\nname: demo\ndescription: Shows how a skill is packed.\n---\n\n# Demo\n',
  'demo/scripts/a.py': 'print(1)\n',
}
const metrics = (mean: number): string =>
  json({ summary_metrics: [{ metric_name: 'quality', mean_score: mean, pass_rate: mean / 5, num_cases: 4 }] })
const HISTORY = json({
  history: [
    {
      iteration: 1,
      description: 'first',
      results: [{ query: 'a <b>', should_trigger: true, pass: true, runs: 2, triggers: 2 }],
    },
  ],
})
const GRADING = json({
  summary: { pass_rate: 0.5, passed: 1, failed: 1, total: 2 },
  timing: { total_duration_seconds: 3 },
})
const TERRAFORM = 'resource "google_monitoring_alert_policy" "a" {\n  display_name = "A"\n}\n'
const TURN = { author: 'user', content: { role: 'user', parts: [{ text: 'hello' }] } }
const ANSWER = { author: 'agent', content: { role: 'model', parts: [{ text: 'good day' }] } }

const PACKED: Cases = { good: { args: ['demo', 'out'], files: SKILL }, bad: none('nowhere') }

export const CASES: Readonly<Record<string, Cases>> = {
  'scan_duplicates.py': { good: { args: ['tf'], files: { 'tf/a.tf': TERRAFORM } }, bad: none('--nope') },
  'lint_syntax.py': { good: { args: ['a.tf'], files: { 'a.tf': TERRAFORM } }, bad: none('nowhere.tf') },
  'compare_results.py': {
    good: { args: ['-b', 'a.json', '-c', 'b.json'], files: { 'a.json': metrics(3), 'b.json': metrics(4) } },
    bad: {
      args: ['-b', 'a.json', '-c', 'b.json', '--json'],
      files: { 'a.json': metrics(3), 'b.json': metrics(2) },
    },
  },
  'parse_adk_traces.py': {
    good: { args: ['-i', 's.json'], files: { 's.json': json({ events: [TURN, ANSWER] }) } },
    bad: { args: ['-i', 's.json'], files: { 's.json': json({ other: 1 }) } },
  },
  'validate_dataset.py': {
    good: {
      args: ['-d', 'd.json'],
      files: { 'd.json': json({ eval_cases: [{ prompt: { role: 'user', parts: [{ text: 'x' }] } }] }) },
    },
    bad: { args: ['-d', 'd.json'], files: { 'd.json': '{"eval_cases": [}' } },
  },
  'validate_chart.py': {
    good: { args: ['-i', '-'], stdin: 'title: "A"\nxy_chart {\n}\n' },
    bad: none('-i', 'nowhere.textproto'),
  },
  'assemble_widget_proto.py': {
    good: none('-q', 'rate(a[5m])', '-t', 'Rate', '-u', 'By/s'),
    bad: none('-l', '{not json'),
  },
  'compute_labels.py': {
    good: none('-p', 'cpu as a line', '-t', 'compute.googleapis.com/instance/cpu/utilization', '-u', '%'),
    bad: none('-g'),
  },
  'calculate_cost.py': {
    good: none('--machine-type', 'g2-standard-48', '--hours', '2'),
    bad: none('--machine-type', 'nope'),
  },
  'package_skill.py': PACKED,
  'aggregate_benchmark.py': {
    good: {
      args: ['b', '--skill-name', 'demo'],
      files: {
        'b/eval-1/with_skill/run-1/grading.json': GRADING,
        'b/eval-1/without_skill/run-1/grading.json': GRADING,
      },
    },
    bad: none('nowhere'),
  },
  'generate_report.py': { good: { args: ['-'], stdin: HISTORY }, bad: none('nowhere.json') },
  'init_skill.py': { good: { args: ['my-skill', '--path', 'made'] }, bad: none('my-skill') },
  'lint_check.py': {
    good: { args: ['a.py'], files: { 'a.py': '"""Doc."""\n' } },
    bad: { args: ['a.py'], files: { 'a.py': 'def (:\n' } },
  },
  'generate_review.py': {
    good: {
      args: ['w', '--static', 'out/r.html'],
      files: { 'w/run/outputs/a.txt': 'text', 'w/run/eval_metadata.json': '{"prompt": "p", "eval_id": 1}' },
    },
    bad: none('nowhere'),
  },
  'with_server.py': {
    good: none('--server', 'true', '--port', '1', '--timeout', '1', '--', 'true'),
    bad: none('--server', 'true'),
  },
  'run_loop.py': { good: none('--eval-set', 'e.json', '--skill-path', 'demo', '--model', 'm'), bad: none() },
  'run_eval.py': { good: none('--eval-set', 'e.json', '--skill-path', 'demo'), bad: none() },
  'improve_description.py': {
    good: none('--eval-results', 'r.json', '--skill-path', 'demo', '--model', 'm'),
    bad: none(),
  },
}

/** For a script without a row: as it is, and with a word that it does not know. */
export const OTHERS: Cases = { good: none(), bad: none('NoSuchThing') }
