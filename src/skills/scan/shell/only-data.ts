// Decides whether a Python or JavaScript script can run, load, write or compute code at all. If it cannot, a
// command in a string is only data, such as a sample log or a test case of a security product.

import type { Source } from '../base/source.ts'

const MAY_ACT =
  /\b(?:eval|exec\w{0,12}|spawn\w{0,12}|system|[pP]open\w{0,4}|subprocess|child_process|Function|vm|compile|fork|pty|ctypes|import_module|__\w{3,16}__|getattr|globals|locals|vars|builtins|mainModule|binding|constructor|globalThis|Worker|write_?\w{0,12}|append\w{0,8}|createWriteStream|open|dump|save\w{0,8}|Bun|Deno|Reflect|setTimeout|setInterval|paramiko|fabric|shelljs|execa|zx|os|shutil|runpy|code)\b|\bfs\b|\b(?:import|require)\s{0,8}\((?!\s{0,8}["'][\w@./:-]{1,100}["']\s{0,8}\))|\\[xu]|\$`/
const resultBySource = new WeakMap<Source, boolean>()

export function isOnlyData(source: Source): boolean {
  if (source.language !== 'python' && source.language !== 'javascript') return false
  const known = resultBySource.get(source)
  if (known !== undefined) return known
  const mayAct = MAY_ACT.test(source.text ?? '')
  resultBySource.set(source, !mayAct)
  return !mayAct
}
