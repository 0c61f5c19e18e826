/** A drawing that took longer is not repeated until the input rests, so that typing and dragging do not stall. */
const HEAVY_MS = 100
const REST_MS = 150

/** Draws now, or with the next frame: however many inputs come before it, the page is drawn once. */
export interface Drawing {
  now: () => void
  soon: () => void
}

/**
 * Repeats `draw` as often as the screen shows it, or as its cost allows. `follow` draws only what a dragged price moves,
 * and returns false where that is not enough; after it, all is drawn once the input rests.
 */
export function atNextFrame(draw: () => void, follow: () => boolean): Drawing {
  let cost = 0
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = 0
  }
  const now = () => {
    cancel()
    cost = measured(draw)[1]
  }
  const atFrame = () => {
    cancel()
    const [isDrawn] = measured(follow)
    if (isDrawn || cost > HEAVY_MS) timer = setTimeout(now, REST_MS)
    else now()
  }
  return { now, soon: () => void (frame ||= requestAnimationFrame(atFrame)) }
}

/** What was drawn, and its milliseconds; the timeline of the browser's tools has them, and the bench reads them. */
function measured<Of>(draw: () => Of): [Of, number] {
  const start = performance.now()
  const drawn = draw()
  const duration = performance.now() - start
  if (drawn === false) return [drawn, duration]
  // One is kept, because a page may be open for days.
  performance.clearMeasures('draw')
  performance.measure('draw', { start, duration })
  return [drawn, duration]
}
