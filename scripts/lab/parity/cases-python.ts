// What Python scripts of published skills are compared with, one input that each should like and one that it should not. The
// inputs are ours; the scripts are not here.

import { none, type Cases } from './case.ts'

const json = (value: unknown): string => JSON.stringify(value)

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

/** By `<skill>/<path within>`. */
export const CORPUS_PYTHON: Readonly<Record<string, Cases>> = {
  'agent-platform-alert-configuration/scripts/scan_duplicates.py': {
    good: { args: ['tf'], files: { 'tf/a.tf': TERRAFORM } },
    bad: none('--nope'),
  },
  'agent-platform-alert-configuration/scripts/lint_syntax.py': {
    good: { args: ['a.tf'], files: { 'a.tf': TERRAFORM } },
    bad: none('nowhere.tf'),
  },
  'agent-platform-eval-flywheel/scripts/compare_results.py': {
    good: { args: ['-b', 'a.json', '-c', 'b.json'], files: { 'a.json': metrics(3), 'b.json': metrics(4) } },
    bad: {
      args: ['-b', 'a.json', '-c', 'b.json', '--json'],
      files: { 'a.json': metrics(3), 'b.json': metrics(2) },
    },
  },
  'agent-platform-eval-flywheel/scripts/parse_adk_traces.py': {
    good: { args: ['-i', 's.json'], files: { 's.json': json({ events: [TURN, ANSWER] }) } },
    bad: { args: ['-i', 's.json'], files: { 's.json': json({ other: 1 }) } },
  },
  'agent-platform-eval-flywheel/scripts/validate_dataset.py': {
    good: {
      args: ['-d', 'd.json'],
      files: { 'd.json': json({ eval_cases: [{ prompt: { role: 'user', parts: [{ text: 'x' }] } }] }) },
    },
    bad: { args: ['-d', 'd.json'], files: { 'd.json': '{"eval_cases": [}' } },
  },
  'cloud-monitoring-chart-generation/scripts/validate_chart.py': {
    good: { args: ['-i', '-'], stdin: 'title: "A"\nxy_chart {\n}\n' },
    bad: none('-i', 'nowhere.textproto'),
  },
  'cloud-monitoring-chart-generation/scripts/assemble_widget_proto.py': {
    good: none('-q', 'rate(a[5m])', '-t', 'Rate', '-u', 'By/s'),
    bad: none('-l', '{not json'),
  },
  'cloud-monitoring-chart-generation/scripts/compute_labels.py': {
    good: none('-p', 'cpu as a line', '-t', 'compute.googleapis.com/instance/cpu/utilization', '-u', '%'),
    bad: none('-g'),
  },
  'agent-platform-skill-registry/scripts/validate_env.py': {
    good: { args: [], env: { GCP_PROJECT_ID: 'p', GCP_LOCATION: 'l' } },
    bad: none(),
  },
  'agent-platform-deploy/scripts/calculate_cost.py': {
    good: none('--machine-type', 'g2-standard-48', '--hours', '2'),
    bad: none('--machine-type', 'nope'),
  },
  'skill-creator/scripts/aggregate_benchmark.py': {
    good: {
      args: ['b', '--skill-name', 'demo'],
      files: {
        'b/eval-1/with_skill/run-1/grading.json': GRADING,
        'b/eval-1/without_skill/run-1/grading.json': GRADING,
      },
    },
    bad: none('nowhere'),
  },
  'skill-creator/scripts/generate_report.py': {
    good: { args: ['-'], stdin: HISTORY },
    bad: none('nowhere.json'),
  },
  'skill-creator/scripts/init_skill.py': {
    good: { args: ['my-skill', '--path', 'made'] },
    bad: none('my-skill'),
  },
  'code-review/lint_check.py': {
    good: { args: ['a.py'], files: { 'a.py': '"""Doc."""\n' } },
    bad: { args: ['a.py'], files: { 'a.py': 'def (:\n' } },
  },
  'skill-creator/eval-viewer/generate_review.py': {
    good: {
      args: ['w', '--static', 'out/r.html'],
      files: { 'w/run/outputs/a.txt': 'text', 'w/run/eval_metadata.json': '{"prompt": "p", "eval_id": 1}' },
    },
    bad: none('nowhere'),
  },
  'webapp-testing/scripts/with_server.py': {
    good: none('--server', 'true', '--port', '1', '--timeout', '1', '--', 'true'),
    bad: none('--server', 'true'),
  },
  'skill-creator/scripts/run_loop.py': {
    good: none('--eval-set', 'e.json', '--skill-path', 'demo', '--model', 'm'),
    bad: none(),
  },
  'skill-creator/scripts/run_eval.py': {
    good: none('--eval-set', 'e.json', '--skill-path', 'demo'),
    bad: none(),
  },
  'skill-creator/scripts/improve_description.py': {
    good: none('--eval-results', 'r.json', '--skill-path', 'demo', '--model', 'm'),
    bad: none(),
  },
}
