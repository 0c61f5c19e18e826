// Runs in the page: texts that their boxes cut off, labels of a chart outside the chart, and labels that overlap.
;(() => {
  const textOf = (one) => one.textContent.trim().slice(0, 40)
  const cut = [...document.querySelectorAll('button, a, label, summary, th, td, p, h1, h2, select')]
    // What only a screen reader gets has no box.
    .filter((one) => !one.closest('.heard') && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `cut off: ${textOf(one)}`)
  const chart = document.querySelector('svg')?.getBoundingClientRect()
  const labels = [...document.querySelectorAll('svg text')]
    .filter((one) => textOf(one) !== '')
    .map((one) => ({ text: textOf(one), box: one.getBoundingClientRect() }))
  const outside = labels
    .filter(({ box }) => box.left < chart.left || box.right > chart.right || box.bottom > chart.bottom + 1)
    .map(({ text }) => `outside the chart: ${text}`)
  const covered = labels.flatMap((one, index) =>
    labels
      .slice(index + 1)
      .filter(({ box }) => one.box.left < box.right && box.left < one.box.right)
      .filter(({ box }) => one.box.top < box.bottom && box.top < one.box.bottom)
      .map(({ text }) => `${one.text} covers ${text}`),
  )
  return [...cut, ...outside, ...covered]
})()
