// Tools of the build: the list `tools` of `extensions_config.json`, checked like one that an admin sets.

import { TOOLS_ENABLED_MAX } from '../../src/skills/catalog/limits.ts'
import type { Finding, ToolEntry } from '../../src/skills/skill.ts'

export interface BuildTools {
  /** Sorted by name, without invalid ones. */
  readonly tools: readonly ToolEntry[]
  readonly findings: readonly Finding[]
}

/** `listed`: as in the file; `file`: its name in findings. */
export async function readBuildTools(listed: readonly unknown[], file: string): Promise<BuildTools> {
  if (listed.length === 0) return { tools: [], findings: [] }
  // Imported late: the checks of tools take longer to load than a build of skills.
  const { checkedTool } = await import('../../src/tools/put.ts')
  const tools = new Map<string, ToolEntry>()
  const findings: Finding[] = []
  const bad = (message: string): void => {
    const fix = 'docs/tools.md says what a definition has.'
    findings.push({ rule: 'tool-invalid', severity: 'error', file, line: null, message, fix })
  }
  for (const [at, json] of listed.entries()) {
    const checked = await checkedTool(json, {})
    if (!checked.ok) {
      const { detail, errors = [] } = checked.error
      const faults = errors.map(({ path, message }) => (path === '' ? message : `${path} ${message}`))
      bad(`tools[${at}]: ${faults.length > 0 ? `${faults.join('; ')}.` : detail}`)
    } else if (tools.has(checked.value.name))
      bad(`tools[${at}]: the name ${checked.value.name} is there twice.`)
    else tools.set(checked.value.name, { ...checked.value, enabled: true, source: 'build', updated_at: null })
  }
  if (tools.size > TOOLS_ENABLED_MAX)
    bad(`There are ${tools.size} tools; ${TOOLS_ENABLED_MAX} are the most that can be on.`)
  return { tools: [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), findings }
}
