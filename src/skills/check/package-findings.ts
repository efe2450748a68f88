// Reports packages that a skill says it needs but that this deployment does not have. These are warnings, because an
// operator can add them later. Pure.

import { fromUtf8 } from '../../lib/bytes.ts'
import { quoted } from '../format/finding.ts'
import type { FileMap } from '../package/skill-folder.ts'
import type { Finding } from '../skill.ts'
import { nativeAdvice } from './native-packages.ts'
import { mayNamePackages, packageNeeds, type PackageNeed } from './package-needs.ts'

/** The names of the packages that a deployment has, normalized. */
export interface InstalledNames {
  readonly python: readonly string[]
  readonly node: readonly string[]
}

/** The findings of a skill's files. `installed` is null if it is not known; then only native packages are reported. */
export function packageFindings(files: FileMap, installed: InstalledNames | null): readonly Finding[] {
  const texts = [...files]
    .filter(([path]) => mayNamePackages(path))
    .map(([path, bytes]) => [path, fromUtf8(bytes) ?? ''] as const)
  return packageNeeds(texts).flatMap((need) => {
    const native = nativeAdvice(need.language, need.name)
    if (native !== null) return [nativeFinding(need, native)]
    if (installed === null || installed[need.language].includes(need.name)) return []
    return [missingFinding(need)]
  })
}

function missingFinding({ requirement, file }: PackageNeed): Finding {
  return {
    rule: 'package-missing',
    severity: 'warning',
    file,
    line: null,
    message: `The skill needs ${quoted(requirement)}, which this deployment does not have.`,
    fix: `The operator can add it: npm run packages -- add ${quoted(requirement)}`,
  }
}

function nativeFinding({ name, file }: PackageNeed, advice: string): Finding {
  return {
    rule: 'package-native',
    severity: 'warning',
    file,
    line: null,
    message: `The skill needs ${quoted(name)}, which is compiled code and cannot run here.`,
    fix: `${advice[0]?.toUpperCase() ?? ''}${advice.slice(1)}, or let an HTTP tool do this work.`,
  }
}
