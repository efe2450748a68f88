// Reads the tools of the build, which are the list `tools` in `extensions_config.json`. They are validated in the same
// way as tools that an admin creates.

import { TOOLS_ENABLED_MAX } from '../../src/skills/catalog/limits.ts'
import type { Finding, ToolEntry } from '../../src/skills/skill.ts'

export interface BuildTools {
  /** The valid tools, sorted by name. */
  readonly tools: readonly ToolEntry[]
  readonly findings: readonly Finding[]
}

/** Validates the tools that are listed in a file. `file` is its name in findings. */
export async function readBuildTools(listed: readonly unknown[], file: string): Promise<BuildTools> {
  if (listed.length === 0) return { tools: [], findings: [] }
  // Imported here, because loading the validation of tools takes longer than a build without tools.
  const { checkTool } = await import('../../src/tools/check-tool.ts')
  const tools = new Map<string, ToolEntry>()
  const findings: Finding[] = []
  const addFinding = (message: string): void => {
    const fix = 'See docs/tools.md for the fields of a definition.'
    findings.push({ rule: 'tool-invalid', severity: 'error', file, line: null, message, fix })
  }
  for (const [index, json] of listed.entries()) {
    const checked = await checkTool(json, {})
    if (!checked.ok) {
      const { detail, errors = [] } = checked.error
      const faults = errors.map(({ path, message }) => (path === '' ? message : `${path} ${message}`))
      addFinding(`tools[${index}]: ${faults.length > 0 ? `${faults.join('; ')}.` : detail}`)
    } else if (tools.has(checked.value.name))
      addFinding(`tools[${index}]: Another tool already has the name ${checked.value.name}.`)
    else tools.set(checked.value.name, { ...checked.value, enabled: true, source: 'build', updated_at: null })
  }
  if (tools.size > TOOLS_ENABLED_MAX)
    addFinding(`There are ${tools.size} tools, but at most ${TOOLS_ENABLED_MAX} can be enabled.`)
  return { tools: [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), findings }
}
