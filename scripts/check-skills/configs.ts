// Checks the switches and tools in the `extensions_config.json` of a folder of skills.

import { join } from 'node:path'
import { readSwitches } from '../skill-folders/switches.ts'
import type { CheckedSkill } from './check.ts'

/** Checks the configuration of each folder. Returns the folders with findings, in the form of checked skills. */
export async function checkConfigs(paths: readonly string[]): Promise<readonly CheckedSkill[]> {
  const all = await Promise.all(
    [...new Set(paths)].map(async (location): Promise<CheckedSkill> => {
      const { findings } = await readSwitches(location)
      return {
        location,
        isArchived: false,
        fileLocation: (file) => join(location, file),
        name: null,
        findings,
        scripts: [],
      }
    }),
  )
  return all.filter(({ findings }) => findings.length > 0)
}
