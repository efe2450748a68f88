// Implements `npm run skills:check`: parses the arguments, checks skills, prints findings and returns a status.

import { resolve } from 'node:path'
import { PROGRESS_INTERVAL_MS } from '../lib/limits.ts'
import { parseAcceptances, unusedAcceptances } from '../lib/accepts.ts'
import type { InstalledPackages } from '../../src/sandbox/installed-packages.ts'
import { readArgs } from '../lib/args.ts'
import { counted } from '../../src/lib/counted.ts'
import { throttled } from '../lib/paced.ts'
import { countFindings } from '../lib/finding-counts.ts'
import { unsearchedMessage } from '../skill-folders/unseen.ts'
import type { UnsearchedFolder } from '../skill-folders/unseen.ts'
import { checkAll } from './check.ts'
import { checkConfigs } from './configs.ts'
import type { CheckedSkill } from './check.ts'
import { checkTable, humanLines, totalsLine } from './human.ts'
import { scriptLines } from './scripts.ts'
import { shownPath } from '../lib/shown-path.ts'
import { sarif } from './sarif.ts'
import { skillsAt } from './unchecked.ts'
import type { UncheckedSkill } from './unchecked.ts'

const USAGE = `npm run skills:check -- PATH… [options]

PATH is a folder with skills at any depth, one SKILL.md, a flat skill (.skills/name.md),
or an archive of one skill (.skill, .zip, .tar.gz).

  --json            as JSON: [{skill, name, findings, scripts: [{path, runtime, lacks, partly}]}]
  --sarif           the findings as SARIF 2.1.0
  --notes           also show notes, and all scripts that would not run (JSON always contains both)
  --table           show a table with a row for each skill
  --accept RULE=REASON  treat errors of this scan rule as accepted warnings (repeatable)
  --max-warnings N  fail if there are more than N warnings
  --help            show this text

Status 0: no errors. Status 1: errors, or too many warnings. Status 2: invalid arguments, or no skill found.`

export interface CheckEnvironment {
  /** The folder to which paths are relative. */
  readonly cwd: string
  /** Satchel's version, which SARIF contains. */
  readonly version: string
  readonly print: (line: string) => void
  readonly complain: (line: string) => void
  /** The packages that scripts can import. Without it, there are none. */
  readonly installed?: () => Promise<InstalledPackages>
}

/** Runs the command. Returns the exit status: 0, 1 for findings that fail, or 2 for invalid arguments. */
export async function checkSkills(
  argv: readonly string[],
  { cwd, version, print, complain, installed }: CheckEnvironment,
): Promise<number> {
  const failUsage = (message: string): number => {
    complain(`${message}\n\n${USAGE}`)
    return 2
  }
  const args = readArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      sarif: { type: 'boolean', default: false },
      notes: { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
      accept: { type: 'string', multiple: true, default: [] },
      'max-warnings': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (!args.ok) return failUsage(args.error)
  const { values: flags, positionals: paths } = args.value
  if (flags.help) {
    print(USAGE)
    return 0
  }
  const maxWarnings = flags['max-warnings']
  if (maxWarnings !== undefined && !/^\d{1,9}$/.test(maxWarnings))
    return failUsage(
      `--max-warnings is ${JSON.stringify(maxWarnings)}, which is not a number. Use a number such as 0.`,
    )
  if (flags.json && flags.sarif) return failUsage('Use either --json or --sarif, not both.')
  if (paths.length === 0) return failUsage('Name at least one folder of skills to check.')
  const accept = parseAcceptances(flags.accept)
  if (!accept.ok) return failUsage(accept.error)

  const skillsByLocation = new Map<string, UncheckedSkill>()
  const unsearched: UnsearchedFolder[] = []
  for (const path of paths) {
    const found = await skillsAt(resolve(cwd, path))
    if (!found.ok) {
      complain(found.error)
      return 2
    }
    for (const skill of found.value.skills) skillsByLocation.set(skill.location, skill)
    unsearched.push(...found.value.unsearched)
  }
  // On stderr, so that it does not mix with output for other tools. Short checks print nothing.
  const progress = throttled(PROGRESS_INTERVAL_MS, (done: number) =>
    complain(`${done} of ${skillsByLocation.size} skills checked`),
  )
  const checked = await checkAll([...skillsByLocation.values()], progress, accept.value, await installed?.())
  const skills = [...checked, ...(await checkConfigs(paths.map((path) => resolve(cwd, path))))]
  const totals = countFindings(skills)
  const unsearchedLine = unsearchedMessage(unsearched, (path) => shownPath(path, cwd))
  if (unsearchedLine !== null && (flags.json || flags.sarif)) complain(unsearchedLine)
  if (flags.json) print(JSON.stringify(toJson(skills, cwd), null, 2))
  else if (flags.sarif) print(JSON.stringify(sarif(skills, cwd, version), null, 2))
  else {
    for (const line of humanLines(skills, cwd, flags.notes)) print(line)
    if (flags.table) for (const line of [...checkTable(skills, cwd), '']) print(line)
    for (const line of scriptLines(skills, cwd, flags.notes)) print(line)
    if (unsearchedLine !== null) print(unsearchedLine)
    print(totalsLine(checked.length, totals, flags.notes))
  }
  const acceptedRules = skills.flatMap(({ findings }) =>
    findings.flatMap((finding) => (finding.accepted ? finding.rule : [])),
  )
  const unusedLines = unusedAcceptances(accept.value, new Set(acceptedRules))
  for (const line of unusedLines) complain(line)
  if (unusedLines.length > 0) return 1
  if (maxWarnings === undefined || totals.warning <= Number(maxWarnings)) return totals.error > 0 ? 1 : 0
  complain(`Found ${counted(totals.warning, 'warning')}, but --max-warnings allows only ${maxWarnings}.`)
  return 1
}

function toJson(skills: readonly CheckedSkill[], cwd: string): object[] {
  return skills.map(({ location, name, findings, scripts }) => ({
    skill: shownPath(location, cwd),
    name,
    findings,
    scripts,
  }))
}
