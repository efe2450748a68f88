// Guards the stemming of English words: words with the same meaning share a stem, and short or foreign words stay
// unchanged.

import { describe, expect, it } from 'vitest'
import { stem } from '../../../../src/skills/search/stem.ts'
import { rawTerms } from '../../../../src/skills/search/tokens.ts'

describe('the stem of a word', () => {
  it.each([
    ['summary', 'summaries'],
    ['deploy', 'deployed', 'deploying', 'deploys', 'deployment', 'deployments'],
    ['optimize', 'optimizing', 'optimization', 'optimise', 'optimized'],
    ['create', 'created', 'creating', 'creation', 'creator', 'creates'],
    ['migrate', 'migration', 'migrations', 'migrating'],
    ['plan', 'plans', 'planning', 'planned', 'planner'],
    ['visual', 'visuals'],
    ['box', 'boxes'],
    ['analyze', 'analyse', 'analyzing', 'analysis'],
  ])('is the same for %s and related forms', (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1)
  })

  it.each(['api', 'css', 'aws', 'ios', 'k8s', 'данные', 'ai'])('of %s is the word itself', (word) => {
    expect(stem(word)).toBe(word)
  })

  it('differs for words that only begin alike', () => {
    const words = ['test', 'text', 'pro', 'process', 'product', 'project', 'chart', 'chat']
    expect(new Set(words.map(stem)).size).toBe(words.length)
  })
})

describe('the words of a text', () => {
  it('are split at special characters, without accents, in lower case', () => {
    expect(rawTerms('Précis: node.js/REST-API, v2')).toEqual(['precis', 'node', 'js', 'rest', 'api', 'v2'])
  })

  it('keep the special characters of programming languages', () => {
    expect(rawTerms('C++, C# and .NET or F#')).toEqual(['cpp', 'csharp', 'and', 'dotnet', 'or', 'fsharp'])
  })

  it('are whole runs in scripts without spaces', () => {
    expect(rawTerms('用Python分析数据')).toEqual(['用', 'python', '分析数据'])
  })
})
