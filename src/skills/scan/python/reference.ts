// The rules about a Python name that is not called where it stands.

import { quoted } from '../../format/finding.ts'
import type { Node, Syntax } from '../syntax.ts'
import { argumentsOf } from './arguments.ts'
import { isGivenAway, isLoad, notice } from './file.ts'
import type { PythonFile } from './file.ts'
import * as paths from './paths.ts'
import * as rules from './rules.ts'

/** A function that is handed on without a call: it is called where it arrives. */
export function pythonReference(file: PythonFile, node: Node): void {
  const { syntax, resolve, seen, add } = file
  if (syntax.name(node) === 'VariableName' && !file.matters(syntax.textOf(node).normalize('NFKC'))) return
  const parent = syntax.parent(node)
  const decorator = syntax.name(node) === 'Decorator'
  const handed = decorator || isLoad(syntax, node, parent)
  const known = resolve(node)
  for (const path of known) {
    if (path === 'os.environ' || path === 'os.environb') {
      if (!isImported(syntax, node) && file.isBulk(node)) seen.environments.push(node)
    }
    if (!handed) continue
    if (paths.CODE.test(path)) add(rules.DYNAMIC_EXEC, node, quoted(path))
    else if (paths.SHELL.test(path)) add(rules.SHELL_EXEC, node, quoted(path))
    else if (paths.PROCESS.test(path)) {
      const outer = syntax.name(parent) === 'ArgList' ? argumentsOf(syntax, syntax.parent(parent)) : null
      const shell = outer?.named.get('shell')
      const open = outer?.spread === true || (shell !== undefined && syntax.textOf(shell) !== 'False')
      add(open ? rules.SHELL_EXEC : rules.SUBPROCESS, node, quoted(path))
    }
    notice(path, node, seen)
    if (path.endsWith('()') && paths.isHandleClass(path.slice(0, -2)) && isGivenAway(syntax, node))
      seen.sinks.push(node)
  }
}

function isImported(syntax: Syntax, node: Node): boolean {
  return syntax.name(syntax.parent(node)) === 'ImportStatement'
}
