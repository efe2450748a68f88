// `echo` and `printf`.

import { Unsupported } from '../../commands/command.ts'
import { decode, encode } from '../../commands/io/text.ts'
import { bigInteger, fieldWidth } from '../../commands/number-size.ts'
import { countsBytes } from '../expand/characters.ts'
import { quoteBackslash } from '../syntax/quoting.ts'
import { assign, assignElement } from '../state/assign.ts'
import { CommandError } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import { unescape } from '../syntax/ansi.ts'
import { print, report, type Builtin, type BuiltinCall } from './builtin.ts'
import { formatDate } from './dates.ts'
import { formatFloat, wideNumber, type WideNumber } from './floats.ts'

export const echo: Builtin = async (call) => {
  let newline = true
  let escapes = false
  let index = 0
  for (; /^-[neE]+$/.test(call.args[index] ?? ''); index++) {
    for (const letter of (call.args[index] ?? '').slice(1)) {
      if (letter === 'n') newline = false
      else escapes = letter === 'e'
    }
  }
  const text = call.args.slice(index).join(' ')
  if (!escapes) return print(call, newline ? `${text}\n` : text)
  const { text: unescaped, ended } = unescape(text, { quotes: false, zeroOctal: true })
  return print(call, newline && !ended ? `${unescaped}\n` : unescaped)
}

/** The flag `'` groups digits as the locale requires. C.UTF-8 does not group them. */
const CONVERSION = /%([-+ #0']*)(\*|-?\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|j|z|t)?(\(([^)]*)\)T|.)/sy

export const printf: Builtin = async (call) => {
  let { args } = call
  let target: string | null = null
  if (args[0] === '-v') {
    target = args[1] ?? ''
    args = args.slice(2)
    if (!/^[A-Za-z_]\w*(?:\[.*\])?$/s.test(target))
      throw new CommandError(`\`${target}': not a valid identifier`, 2)
  }
  if (args[0] === '--') args = args.slice(1)
  const [format, ...values] = args
  if (format === undefined) throw new CommandError('usage: printf [-v var] format [arguments]', 2)
  const formatter = new Formatter(call, values)
  const text = await formatter.all(format)
  if (target === null) await print(call, text)
  else {
    const [, name = '', subscript] = /^(\w+)(?:\[(.*)\])?$/s.exec(target) ?? []
    const kept = text.includes('\0') ? text.slice(0, text.indexOf('\0')) : text
    if (subscript === undefined) assign(call.shell, name, kept)
    else assignElement(call.shell, name, subscript, kept)
  }
  return formatter.failed ? 1 : 0
}

class Formatter {
  readonly #call: BuiltinCall
  readonly #shell: Shell
  readonly #values: readonly string[]
  #used = 0
  #ended = false
  failed = false

  constructor(call: BuiltinCall, values: readonly string[]) {
    this.#call = call
    this.#shell = call.shell
    this.#values = values
  }

  /** Applies the format repeatedly until all values are used. */
  async all(format: string): Promise<string> {
    let text = ''
    for (;;) {
      const before = this.#used
      text += await this.#once(format)
      this.#shell.host.held(text.length)
      if (this.#ended || this.#used >= this.#values.length || this.#used === before) return text
    }
  }

  async #once(format: string): Promise<string> {
    let text = ''
    for (let position = 0; position < format.length;) {
      const next = format.indexOf('%', position)
      const plain = format.slice(position, next === -1 ? undefined : next)
      text += unescape(plain, { quotes: true, zeroOctal: false }).text
      if (next === -1) return text
      CONVERSION.lastIndex = next
      const found = CONVERSION.exec(format)
      if (!found) throw new CommandError(`\`${format.slice(next)}': missing format character`)
      position = CONVERSION.lastIndex
      text += await this.#convert(found)
      if (this.#ended) return text
    }
    return text
  }

  async #convert(found: RegExpExecArray): Promise<string> {
    const [, given = '', widthText, precisionText, conversion = '', dateFormat] = found
    if (conversion === '%') return '%'
    let flags = given
    let width = widthText === '*' ? await this.#integer() : Number(widthText ?? 0)
    if (width < 0) {
      flags += '-'
      width = -width
    }
    let precision =
      precisionText === undefined
        ? null
        : precisionText === '*'
          ? await this.#integer()
          : Number(precisionText || 0)
    if (precision !== null && precision < 0) precision = null
    this.#shell.host.held(Math.max(width, precision ?? 0))
    const field = { flags, width, precision }
    if (dateFormat !== undefined) return this.#pad(this.#date(dateFormat), field)
    switch (conversion) {
      case 's':
        return this.#string(this.#next() ?? '', field)
      case 'c':
        return this.#string(sliceBytes(this.#next() || '\0', 1), { ...field, precision: null })
      case 'b': {
        const { text, ended } = unescape(this.#next() ?? '', { quotes: true, zeroOctal: true })
        this.#ended ||= ended
        return this.#string(text, field)
      }
      case 'q':
        return this.#string(quoteBackslash(this.#next() ?? ''), field)
      case 'Q':
        return this.#string(quoteBackslash(this.#string(this.#next() ?? '', { ...field, width: 0 })), {
          ...field,
          precision: null,
        })
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return this.#whole(conversion, field)
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return this.#float(conversion, field)
      default:
        if (/^[aAn]$/.test(conversion)) throw new Unsupported(`printf: %${conversion}`, 'python3')
        throw new CommandError(`\`${conversion}': invalid format character`)
    }
  }

  #next(): string | undefined {
    return this.#values[this.#used++]
  }

  async #integer(): Promise<number> {
    return Number(await this.#number(this.#next()))
  }

  async #number(text: string | undefined): Promise<bigint> {
    if (text === undefined || text === '') return 0n
    if (/^["']/.test(text)) return this.#characterCode(text)
    const [, sign = '', digits = '', rest = ''] =
      /^[ \t-\r]*([+-]?)(0[xX][0-9a-fA-F]+|\d*)(.*)$/s.exec(text) ?? []
    const octal = /^0[0-7]*(?=\d|$)/.exec(digits)?.[0]
    const plain = octal ?? digits
    let value = plain === '' ? 0n : bigInteger(octal === undefined ? plain : `0o${octal}`)
    if (plain === '' || rest !== '' || plain.length < digits.length)
      await this.#wrong(
        `${text}: invalid ${/^0\d/.test(digits) && plain.length < digits.length ? 'octal ' : ''}number`,
      )
    if (sign === '-') value = -value
    const limit = value < 0n ? -(2n ** 63n) : 2n ** 64n - 1n
    if (value < 0n ? value < limit : value > limit) {
      await report(this.#call, `warning: ${text}: Numerical result out of range`)
      return limit
    }
    return value
  }

  async #wrong(message: string): Promise<void> {
    this.failed = true
    await report(this.#call, message)
  }

  /** The code of the character after a quote. */
  #characterCode(text: string): bigint {
    const char = text.slice(1)
    if (char === '') return 0n
    const code = char.codePointAt(0) ?? 0
    if (code >= 0xdc80 && code <= 0xdcff) return BigInt(code - 0xdc00)
    if (code > 127 && countsBytes(this.#shell)) return BigInt(((encode(char)[0] ?? 0) << 24) >> 24)
    return BigInt(code)
  }

  async #whole(conversion: string, { flags, width, precision }: FieldRules): Promise<string> {
    const value = await this.#number(this.#next())
    const signed = conversion === 'd' || conversion === 'i'
    const amount = signed
      ? BigInt.asIntN(64, value > 2n ** 63n - 1n ? 2n ** 63n - 1n : value)
      : BigInt.asUintN(64, value)
    const base = conversion === 'o' ? 8 : /[xX]/.test(conversion) ? 16 : 10
    let digits = (amount < 0n ? -amount : amount).toString(base)
    if (conversion === 'X') digits = digits.toUpperCase()
    if (precision !== null)
      digits = amount === 0n && precision === 0 ? '' : digits.padStart(fieldWidth(precision), '0')
    let sign =
      amount < 0n ? '-' : signed && flags.includes('+') ? '+' : signed && flags.includes(' ') ? ' ' : ''
    if (flags.includes('#') && base === 8 && !digits.startsWith('0')) digits = `0${digits}`
    if (flags.includes('#') && base === 16 && amount !== 0n) sign = `0${conversion}`
    return padNumber(sign, digits, { flags: precision === null ? flags : flags.replaceAll('0', ''), width })
  }

  async #float(conversion: string, { flags, width, precision }: FieldRules): Promise<string> {
    const text = this.#next() ?? ''
    let value: ReturnType<typeof floatOf>
    if (/^["']/.test(text)) value = floatOf(String(this.#characterCode(text)))
    else {
      const number =
        /^[ \t-\r]*[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)/i.exec(
          text,
        )?.[0] ?? ''
      if (text !== '' && number.length < text.length) await this.#wrong(`${text}: invalid number`)
      value = floatOf(number)
    }
    const { sign, digits } = formatFloat(value, conversion, precision && fieldWidth(precision), flags)
    return padNumber(sign, digits, {
      flags: typeof value === 'string' ? flags.replaceAll('0', '') : flags,
      width,
    })
  }

  #date(format: string): string {
    const text = this.#next()
    const seconds =
      text === undefined || text === '-1'
        ? this.#shell.host.now() / 1_000
        : text === '-2'
          ? this.#shell.secondsFromMs / 1_000
          : Number.parseInt(text, 10) || 0
    return formatDate(this.#shell, format === '' ? '%X' : format, Math.floor(seconds))
  }

  #string(text: string, field: FieldRules): string {
    const { precision } = field
    const shown = precision === null ? text : sliceBytes(text, precision)
    return this.#pad(shown, field)
  }

  #pad(text: string, { flags, width }: FieldRules): string {
    const missing = Math.max(0, fieldWidth(width) - lengthInBytes(text))
    return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
  }
}

interface FieldRules {
  readonly flags: string
  readonly width: number
  readonly precision: number | null
}

function padNumber(
  sign: string,
  digits: string,
  { flags, width }: Pick<FieldRules, 'flags' | 'width'>,
): string {
  const missing = Math.max(0, fieldWidth(width) - sign.length - digits.length)
  if (flags.includes('-')) return sign + digits + ' '.repeat(missing)
  return flags.includes('0') ? sign + '0'.repeat(missing) + digits : ' '.repeat(missing) + sign + digits
}

function floatOf(text: string): WideNumber | 'inf' | '-inf' | 'nan' {
  const word = text.trim().toLowerCase()
  const infinite = /^([+-]?)inf/.exec(word)
  if (infinite) return infinite[1] === '-' ? '-inf' : 'inf'
  if (word.includes('nan')) return 'nan'
  return wideNumber(word) ?? { negative: false, mantissa: 0n, exponent: 0 }
}

/** The length in bytes, which is the unit of widths and precisions of `%s`. */
function lengthInBytes(text: string): number {
  return encode(text).length
}

function sliceBytes(text: string, bytes: number): string {
  return text.length * 3 <= bytes ? text : decode(encode(text).subarray(0, bytes))
}
