import { expect, test } from 'vitest'
import { benchmarkPage, type Section } from '../../bench/report.ts'

const section = (ratio: string): Section => ({
  title: 'Batches',
  how: `Measured so that it was ${ratio}.`,
  figures: [{ what: 'a batch', measured: '1 ms', comparedWith: 'a peer', ratio, target: '', met: null }],
})

const REMARKS = 'Two runs had 0.4.\n\n| step | before |\n|---|--:|\n| one | 2 |\n\nNothing else ran.'
const OTHER = '## Steps, before and after\n\nBy hand.'

test('a bench replaces the introduction and the table of its section, and keeps what stands below and the other sections', () => {
  const first = benchmarkPage('', [section('0.5')])
  const page = benchmarkPage(`${first}\n${REMARKS}\n\n${OTHER}\n`, [section('0.7')])
  expect(page).toBe(`${benchmarkPage('', [section('0.7')])}\n${REMARKS}\n\n${OTHER}\n`)
  expect(page).not.toContain('0.5')
  expect(benchmarkPage(page, [section('0.7')])).toBe(page)
})

test('a section without remarks ends with its table', () => {
  const first = benchmarkPage('', [section('0.5')])
  expect(benchmarkPage(first, [section('0.5')])).toBe(first)
  expect(first.trim().split('\n').at(-1)).toBe('| a batch | 0.5 | a peer |  |  |')
})
