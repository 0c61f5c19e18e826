/** A drawing that took longer is not repeated until the input rests, so that typing and dragging do not stall. */
const HEAVY_MS = 100
const REST_MS = 150

/** Draws now, or with the next frame: however many inputs come before it, the page is drawn once. */
export interface Drawing {
  now: () => void
  soon: () => void
}

/** Repeats `draw` as often as the screen shows it, or as its cost allows. */
export function atNextFrame(draw: () => void): Drawing {
  let cost = 0
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const now = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
    const start = performance.now()
    draw()
    cost = performance.now() - start
    // For the timeline of the browser's tools, and for the bench; one is kept, because a page may be open for days.
    performance.clearMeasures('draw')
    performance.measure('draw', { start, duration: cost })
  }
  const soon = () => {
    if (cost > HEAVY_MS) {
      clearTimeout(timer)
      timer = setTimeout(now, REST_MS)
    } else if (frame === 0) frame = requestAnimationFrame(now)
  }
  return { now, soon }
}
