const smallest = 1 / 64;

/**
 * The heights of all rows, few of which have been measured. Other rows count with the mean of the measured ones. A binary
 * indexed tree finds the offset of a row, and the row at an offset, in logarithmic time.
 */
export class RowHeights {
  constructor(count, estimate) {
    this.estimate = estimate;
    this.count = 0;
    this.measuredCount = 0;
    this.measuredSum = 0;
    this.reserve(1024);
    this.append(count);
  }

  reserve(capacity) {
    const heights = new Float32Array(capacity);
    if (this.heights) heights.set(this.heights.subarray(0, this.count));
    this.capacity = capacity;
    this.heights = heights;
    this.sums = new Float64Array(capacity + 1);
    this.counts = new Uint32Array(capacity + 1);
    for (let row = 0; row < this.count; row += 1) {
      if (heights[row] > 0) this.add(row, heights[row], 1);
    }
  }

  append(count) {
    let capacity = this.capacity;
    while (capacity < this.count + count) capacity *= 2;
    if (capacity > this.capacity) this.reserve(capacity);
    this.count += count;
  }

  add(row, height, count) {
    for (let index = row + 1; index <= this.capacity; index += index & -index) {
      this.sums[index] += height;
      this.counts[index] += count;
    }
  }

  /** The height of a row without a measurement. It becomes fixed early: each change of it moves all rows below. */
  get mean() {
    return this.fixedMean ?? (this.measuredCount > 0 ? this.measuredSum / this.measuredCount : this.estimate);
  }

  measure(row, measured) {
    const known = this.heights[row];
    // A row without a height is measured too.
    const height = Math.max(measured, smallest);
    if (known > 0 && Math.abs(known - height) < 0.25) return;
    this.heights[row] = height;
    this.add(row, height - known, known > 0 ? 0 : 1);
    this.measuredSum += height - known;
    if (known === 0) this.measuredCount += 1;
    if (this.measuredCount === 200) this.fixedMean = this.measuredSum / this.measuredCount;
  }

  /** Removes all measurements, when the width of the rows changes. */
  forget() {
    this.estimate = this.mean;
    this.fixedMean = undefined;
    this.measuredCount = 0;
    this.measuredSum = 0;
    this.heights.fill(0);
    this.sums.fill(0);
    this.counts.fill(0);
  }

  /** The distance from the top of the first row to the top of a row. */
  offset(row) {
    let sum = 0;
    let count = 0;
    for (let index = Math.min(row, this.count); index > 0; index -= index & -index) {
      sum += this.sums[index];
      count += this.counts[index];
    }
    return sum + (Math.min(row, this.count) - count) * this.mean;
  }

  get total() { return this.offset(this.count); }

  /** The row at an offset; the first or the last row for an offset outside of the rows. */
  rowAt(offset) {
    const mean = this.mean;
    let row = 0;
    let rest = offset;
    for (let step = this.capacity; step > 0; step >>= 1) {
      const index = row + step;
      if (index > this.count) continue;
      const height = this.sums[index] + (step - this.counts[index]) * mean;
      if (height <= rest) {
        rest -= height;
        row = index;
      }
    }
    return Math.max(0, Math.min(row, this.count - 1));
  }
}
