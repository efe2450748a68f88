// The options of `set` and `shopt`.

/** The options of `set`: letter and default. Options without a letter have an empty one. */
const SET: Readonly<Record<string, readonly [letter: string, on: boolean]>> = {
  allexport: ['a', false],
  braceexpand: ['B', true],
  errexit: ['e', false],
  errtrace: ['E', false],
  functrace: ['T', false],
  hashall: ['h', true],
  noclobber: ['C', false],
  noglob: ['f', false],
  nounset: ['u', false],
  pipefail: ['', false],
  xtrace: ['x', false],
  'interactive-comments': ['', true],
}
/** Options of `set` that this shell does not support, by name and letter. */
const NOT_SET =
  'emacs history histexpand H ignoreeof keyword k monitor m noexec n nolog notify b onecmd t physical P posix privileged p verbose v vi'.split(
    ' ',
  )
/** Unsupported options that would not change the result of a script, so they are accepted. */
const WITHOUT_EFFECT = new Set('emacs history histexpand H ignoreeof monitor m nolog notify b vi'.split(' '))

const SHOPT: Readonly<Record<string, boolean>> = {
  dotglob: false,
  extglob: false,
  failglob: false,
  globstar: false,
  inherit_errexit: false,
  lastpipe: false,
  nocaseglob: false,
  nocasematch: false,
  nullglob: false,
  patsub_replacement: true,
  sourcepath: true,
}
const SHOPT_WITHOUT_EFFECT: Readonly<Record<string, boolean>> = {
  autocd: false,
  cdspell: false,
  checkhash: false,
  checkjobs: false,
  checkwinsize: true,
  cmdhist: true,
  complete_fullquote: true,
  direxpand: false,
  dirspell: false,
  extquote: true,
  force_fignore: true,
  globasciiranges: true,
  globskipdots: true,
  histappend: false,
  histreedit: false,
  histverify: false,
  hostcomplete: true,
  huponexit: false,
  interactive_comments: true,
  lithist: false,
  login_shell: false,
  mailwarn: false,
  no_empty_cmd_completion: false,
  progcomp: true,
  progcomp_alias: false,
  promptvars: true,
  shift_verbose: false,
}

/** Options of `shopt` that this shell does not support. They are off. */
const NOT_SHOPT = new Set(
  'assoc_expand_once compat31 compat32 compat40 compat41 compat42 compat43 compat44 execfail expand_aliases extdebug gnu_errfmt localvar_inherit localvar_unset noexpand_translation restricted_shell varredir_close xpg_echo'.split(
    ' ',
  ),
)

export type OptionVerdict = 'set' | 'unsupported' | 'unknown'

export class Options {
  readonly #values: Map<string, boolean>

  constructor(values?: Map<string, boolean>) {
    this.#values =
      values ??
      new Map([
        ...Object.entries(SET).map(([name, [, on]]) => [name, on] as const),
        ...Object.entries(SHOPT),
        ...Object.entries(SHOPT_WITHOUT_EFFECT),
      ])
  }

  isOn(name: string): boolean {
    return this.#values.get(name) ?? false
  }

  /** Sets an option of `set`, by name or letter. */
  turn(name: string, on: boolean): OptionVerdict {
    const full = name.length > 1 ? name : Object.entries(SET).find(([, [letter]]) => letter === name)?.[0]
    if (full !== undefined && Object.hasOwn(SET, full)) {
      this.#values.set(full, on)
      return 'set'
    }
    if (!NOT_SET.includes(name)) return 'unknown'
    return !on || WITHOUT_EFFECT.has(name) ? 'set' : 'unsupported'
  }

  shopt(name: string, on: boolean): OptionVerdict {
    if (Object.hasOwn(SHOPT, name) || Object.hasOwn(SHOPT_WITHOUT_EFFECT, name)) {
      this.#values.set(name, on)
      return 'set'
    }
    if (!NOT_SHOPT.has(name)) return 'unknown'
    return on ? 'unsupported' : 'set'
  }

  isShopt(name: string): boolean {
    return Object.hasOwn(SHOPT, name) || Object.hasOwn(SHOPT_WITHOUT_EFFECT, name) || NOT_SHOPT.has(name)
  }

  isSet(name: string): boolean {
    return Object.hasOwn(SET, name)
  }

  /** The names of enabled options, sorted: `SHELLOPTS`, `BASHOPTS`. */
  namesOn(of: 'set' | 'shopt'): string[] {
    return [...this.#values.entries()]
      .filter(([name, on]) => on && this.isSet(name) === (of === 'set'))
      .map(([name]) => name)
      .toSorted()
  }

  /** The value of `$-`. It contains `c` if the shell runs the text of an argument. */
  letters(fromArgument: boolean): string {
    const letters = Object.entries(SET)
      .filter(([name, [letter]]) => letter !== '' && this.isOn(name))
      .map(([, [letter]]) => letter)
    return letters.sort(byFlagOrder).join('') + (fromArgument ? 'c' : '')
  }

  copy(): Options {
    return new Options(new Map(this.#values))
  }
}

/** Sorts letters in the order of `$-`. */
function byFlagOrder(one: string, other: string): number {
  const order = 'aefhuxBCET'
  return order.indexOf(one) - order.indexOf(other)
}
