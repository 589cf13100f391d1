import TelecapText

/// The columns of curves as JSON: what the pages' script shows under the cursor.
enum PlotData {
  /// The columns of some curves for the script of the pages.
  static func curves(_ curves: [TimelineTrack.Curve]) -> String {
    list(
      curves.map { curve in
        var columns = Columns(of: curve.reduced.grid.columns, shape: "\(curve.shape)")
        // After its last message a curve has no value, unless it goes on or is single points.
        columns.goesOn = curve.goesOn || curve.shape == .points
        curve.reduced.forEach { column, numbers in
          columns.at.append(column)
          columns.low.append(PlotCurve.short(numbers.least))
          columns.high.append(PlotCurve.short(numbers.greatest))
        }
        return columns
      })
  }

  /// How often something happened in each column.
  static func counts(_ marks: ReducedMarks) -> String {
    var columns = Columns(of: marks.grid.columns, shape: "count")
    for (column, mark) in marks.sorted {
      columns.at.append(column)
      columns.low.append(Numbers.grouped(mark.count))
    }
    columns.high = columns.low
    return list([columns])
  }

  /// The text of each column with an event.
  static func words(_ marks: ReducedMarks, _ words: (ReducedMarks.Mark) -> String) -> String {
    var columns = Columns(of: marks.grid.columns, shape: "words")
    for (column, mark) in marks.sorted {
      columns.at.append(column)
      columns.low.append(words(mark))
    }
    return list([columns])
  }

  private struct Columns {
    /// How many there are, with those that hold nothing.
    let of: Int
    let shape: String
    var goesOn = false
    var at: [Int] = []
    var low: [String] = []
    var high: [String] = []

    init(of count: Int, shape: String) { (of, self.shape) = (count, shape) }
  }

  /// `<` is written by its number: nothing in it can end the element that holds it.
  private static func list(_ all: [Columns]) -> String {
    var json = JSONWriter()
    json.beginArray()
    for columns in all {
      json.beginObject()
      json.put("of", columns.of)
      json.put("shape", columns.shape)
      json.put("on", columns.goesOn)
      json.beginArray("at")
      for column in columns.at { json.put(nil, column) }
      json.endArray()
      json.beginArray("low")
      for value in columns.low { json.put(nil, value) }
      json.endArray()
      json.beginArray("high")
      for value in columns.high { json.put(nil, value) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    return Escaping.script(json: json.text)
  }
}
