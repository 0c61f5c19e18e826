import { rulesOf } from './parts.ts'
import type { Check } from './subject.ts'

/** The GST share of a line is less than the line. */
export const gstShare: Check = ({ spec }) =>
  rulesOf(spec).flatMap(({ path, value: { gst } }) => {
    const [share, whole] = gst.split('/').map(Number)
    if (gst === 'none' || share! < whole!) return []
    return [{ check: 'gst-share', path: `${path}.gst`, message: `${gst} is not less than the whole line` }]
  })
