// The rules about one call of a Python file.

import { quoted } from '../../format/finding.ts'
import type { Node } from '../syntax.ts'
import { argumentsOf } from './arguments.ts'
import { isGivenAway, notice } from './file.ts'
import type { PythonFile } from './file.ts'
import { stringValue } from './literals.ts'
import * as paths from './paths.ts'
import * as rules from './rules.ts'

/** One call: what it runs, starts, loads or sends. */
export function pythonCall(file: PythonFile, node: Node): void {
  const { syntax, resolve, seen, add } = file
  const callee = syntax.kids(node)[0] ?? -1
  const given = argumentsOf(syntax, node)
  const shell = given.named.get('shell')
  const command = given.positional[0] ?? given.named.get('args') ?? given.named.get('cmd')
  const known = resolve(callee)
  for (const path of known) {
    if (paths.CODE.test(path)) add(rules.DYNAMIC_EXEC, node, quoted(path))
    // A command that stands there in full can be read; one that is put together cannot.
    else if (paths.SHELL.test(path))
      add(isWritten(file, command) ? rules.SUBPROCESS : rules.SHELL_EXEC, node, quoted(path))
    else if (paths.PROCESS.test(path)) {
      // The ninth positional argument of Popen is `shell`. What is spread is mostly a wrapper's own options.
      const shells = [shell, given.positional[8]].filter((value) => value !== undefined)
      const asked = path.startsWith('subprocess.') && shells.some((value) => !isOff(file, value))
      add(asked && !isWritten(file, command) ? rules.SHELL_EXEC : rules.SUBPROCESS, node, quoted(path))
    } else if (path === 'builtins.__import__' || /^importlib\.(?:import_module|__import__)$/.test(path)) {
      const module = given.positional[0] ?? given.named.get('name')
      if (module !== undefined && stringValue(syntax, module) === null)
        add(rules.DYNAMIC_IMPORT, node, quoted(path))
    } else if (path === 'builtins.getattr' && given.positional[1] !== undefined) {
      const on = given.positional[0] === undefined ? [] : resolve(given.positional[0])
      if (
        stringValue(syntax, given.positional[1]) === null &&
        on.some((one) => /^(?:os|subprocess|builtins)$/.test(one))
      )
        add(rules.DYNAMIC_LOOKUP, node, 'getattr with a name that is not written out')
    } else if (paths.UNSAFE_LOAD.test(path)) add(rules.DESERIALIZATION, node, quoted(path))
    else if (paths.YAML_LOAD.test(path)) {
      const loader = given.named.get('Loader') ?? given.positional[1]
      if (loader === undefined || !resolve(loader).some((one) => paths.SAFE_LOADER.test(one)))
        add(rules.DESERIALIZATION, node, quoted(path))
    }
    notice(path, node, seen)
    if (paths.isHandleClass(path) && isGivenAway(syntax, node)) seen.sinks.push(node)
  }
  const unknown = known.every((path) => path.startsWith('?') || path.endsWith('()'))
  if (unknown && file.startsProcesses && shell !== undefined && syntax.textOf(shell) === 'True')
    add(rules.SHELL_EXEC, node, 'shell=True')
}

function isWritten({ syntax }: PythonFile, command: Node | undefined): boolean {
  return command !== undefined && stringValue(syntax, command) !== null
}

/** False as it stands, or a parameter that is passed on and false unless somebody says otherwise. */
function isOff({ syntax, valuesOf }: PythonFile, value: Node): boolean {
  const isFalse = (node: Node): boolean => syntax.textOf(node) === 'False'
  const values = valuesOf(value)
  return isFalse(value) || (values.length > 0 && values.every(isFalse))
}
