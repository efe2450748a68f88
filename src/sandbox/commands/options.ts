// Parses options as GNU programs do: clusters (`-abc`), values (`-n5`, `-n 5`, `--lines=5`), unique abbreviations of
// long names, and `--`. Refuses options that only the real command has; unknown options fail as they do there.

import { Failed, Unsupported } from './command.ts'
import { otherOptions, usageMessage } from './real-options.ts'

export interface OptionRule {
  /** All spellings, separated by spaces, such as `-n --lines`. The first one names the option in the result. */
  readonly flags: string
  readonly value?: 'required' | 'optional'
  /** Set if only the real command has this option: what to use instead. */
  readonly refused?: string
}

export interface OptionStyle {
  /** Exit code for an invalid option: 1, or 2 for sort, grep, ls, diff and others. */
  readonly usageExit?: number
  /** Whether options end at the first operand (`env`, `xargs`, `timeout`). */
  readonly operandsLast?: true
  /** The name under which a number such as `-5` is returned (`head -5`). */
  readonly digits?: string
}

export interface ParsedOption {
  readonly flag: string
  /** The value; empty for an option without one. */
  readonly value: string
}

export class Parsed {
  /** The options in the order in which they were given. */
  readonly options: readonly ParsedOption[]
  readonly operands: readonly string[]

  constructor(options: readonly ParsedOption[], operands: readonly string[]) {
    this.options = options
    this.operands = operands
  }

  has(flag: string): boolean {
    return this.options.some((option) => option.flag === flag)
  }

  /** The last value of an option; undefined if it was not given. */
  value(flag: string): string | undefined {
    return this.options.findLast((option) => option.flag === flag)?.value
  }

  values(flag: string): readonly string[] {
    return this.options.filter((option) => option.flag === flag).map(({ value }) => value)
  }

  /** Returns which of these flags was given last. */
  last(...flags: readonly string[]): string | undefined {
    return this.options.findLast(({ flag }) => flags.includes(flag))?.flag
  }
}

const UNKNOWN = 'a form without it, or python3'

interface Rule extends OptionRule {
  readonly name: string
}

export function parseOptions(
  command: string,
  args: readonly string[],
  rules: readonly OptionRule[],
  style: OptionStyle = {},
): Parsed {
  const table = new Map<string, Rule>()
  for (const rule of rules) {
    const flags = rule.flags.split(' ')
    for (const flag of flags) table.set(flag, { ...rule, name: flags[0] ?? '' })
  }
  const options: ParsedOption[] = []
  const operands: string[] = []
  const wrong = (message: string): Failed => new Failed(usageMessage(command, message), style.usageExit ?? 1)
  const add = (rule: Rule, written: string, value = ''): void => {
    if (rule.refused !== undefined) throw new Unsupported(`${command} ${written}`, rule.refused)
    options.push({ flag: rule.name, value })
  }

  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (arg === '-' || !arg.startsWith('-')) {
      if (style.operandsLast) {
        operands.push(...args.slice(at))
        break
      }
      operands.push(arg)
    } else if (arg.startsWith('--')) {
      const mark = arg.indexOf('=')
      const written = mark === -1 ? arg : arg.slice(0, mark)
      const rule = longRule(table, written)
      if (!rule) throw unknownLong(command, [...table.keys()], arg, style.usageExit)
      if (rule.value === undefined && mark !== -1)
        throw wrong(`option '${fullName(rule, written)}' doesn't allow an argument`)
      if (rule.value === 'required' && mark === -1) {
        if (++at >= args.length) throw wrong(`option '${fullName(rule, written)}' requires an argument`)
        add(rule, written, args[at])
      } else add(rule, written, mark === -1 ? '' : arg.slice(mark + 1))
    } else if (style.digits !== undefined && /^-\d+$/.test(arg)) {
      options.push({ flag: style.digits, value: arg.slice(1) })
    } else {
      for (let letter = 1; letter < arg.length; letter++) {
        const written = `-${arg[letter] ?? ''}`
        const rule = table.get(written)
        if (!rule) throw unknownLetter(command, written, style.usageExit)
        if (rule.value === undefined) {
          add(rule, written)
          continue
        }
        const glued = arg.slice(letter + 1)
        if (glued !== '' || rule.value === 'optional') add(rule, written, glued)
        else if (++at < args.length) add(rule, written, args[at])
        else throw wrong(`option requires an argument -- '${arg[letter] ?? ''}'`)
        break
      }
    }
  }
  return new Parsed(options, operands)
}

/** The error for a single-letter option that this command does not have. */
export function unknownLetter(command: string, flag: string, usageExit = 1): Failed | Unsupported {
  if (otherOptions(command).includes(flag)) return new Unsupported(`${command}: option '${flag}'`, UNKNOWN)
  return new Failed(usageMessage(command, `invalid option -- '${flag.slice(1)}'`), usageExit)
}

/**
 * The error for a long option that this command does not have. `arg` is the option as written, `own` are the options
 * that it has.
 */
export function unknownLong(
  command: string,
  own: readonly string[],
  arg: string,
  usageExit = 1,
): Failed | Unsupported {
  const [written = ''] = arg.split('=', 1)
  const others = otherOptions(command)
  const isMeant = (flag: string): boolean => flag.startsWith(written)
  const possible = [...own, ...others].filter((flag) => flag.startsWith('--') && isMeant(flag))
  if (others.includes(written) || (possible.length > 0 && !own.some(isMeant)))
    return new Unsupported(`${command}: option '${written}'`, UNKNOWN)
  const message =
    possible.length === 0
      ? `unrecognized option '${arg}'`
      : `option '${written}' is ambiguous; possibilities: ${possible.map((flag) => `'${flag}'`).join(' ')}`
  return new Failed(usageMessage(command, message), usageExit)
}

/** The full name of a long option, which may have been abbreviated. */
function fullName(rule: OptionRule, written: string): string {
  return rule.flags.split(' ').find((flag) => flag.startsWith(written)) ?? written
}

/** Finds the rule for a long name or a unique prefix of one. */
function longRule(table: ReadonlyMap<string, Rule>, written: string): Rule | null {
  const exact = table.get(written)
  if (exact) return exact
  const rules = [...table].filter(([flag]) => flag.startsWith(written)).map(([, rule]) => rule)
  const [first] = rules
  return first && rules.every(({ name }) => name === first.name) ? first : null
}
