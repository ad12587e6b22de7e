# Made from the tables of gdvar-wire by `UPDATE_DOCS=1 cargo test -p gdvar-conformance --test documents formats`.
meta:
  id: godot3_variant
  title: A value of Godot 3, as var_to_bytes writes it
  application: Godot Engine
  license: MIT OR Apache-2.0
  endian: le
doc: |
  One value, with all of its bytes. A file of store_var, and a stream of put_var, is a sequence of `record`s.
doc-ref: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md
seq:
  - id: root
    type: value
types:
  record:
    seq:
      - id: len_value
        type: u4
      - id: value
        type: value
        size: len_value
  value:
    seq:
      - id: header
        type: u4
      - id: payload
        type:
          switch-on: kind
          cases:
            'kind::nil': nothing
            'kind::godot_bool': godot_bool
            'kind::godot_int': godot_int(has_bit_16)
            'kind::godot_float': godot_float(has_bit_16)
            'kind::godot_string': padded_text
            'kind::vector2': vector2
            'kind::rect2': rect2
            'kind::vector3': vector3
            'kind::transform2d': transform2d
            'kind::plane': plane
            'kind::quaternion': quaternion
            'kind::aabb': aabb
            'kind::basis': basis
            'kind::transform3d': transform3d
            'kind::color': color
            'kind::node_path': node_path
            'kind::rid': nothing
            'kind::godot_object': godot_object(has_bit_16)
            'kind::dictionary': dictionary
            'kind::godot_array': godot_array
            'kind::packed_byte_array': packed_byte_array
            'kind::packed_int32_array': packed_int32_array
            'kind::packed_float32_array': packed_float32_array
            'kind::packed_string_array': packed_string_array
            'kind::packed_vector2_array': packed_vector2_array
            'kind::packed_vector3_array': packed_vector3_array
            'kind::packed_color_array': packed_color_array
    instances:
      kind:
        value: header & 0xff
        enum: kind
      has_bit_16:
        value: (header & 0x10000) != 0
        doc: 64-bit numbers, or an Object as its id
  nothing: {}
  padded_text:
    doc: The byte length, UTF-8, zeros up to a multiple of four
    seq:
      - id: len_bytes
        type: u4
      - id: bytes
        size: len_bytes
      - id: padding
        size: (4 - len_bytes % 4) % 4
    instances:
      text:
        value: bytes.to_s('UTF-8')
  godot_bool:
    seq:
      - id: word
        type: u4
    instances:
      value:
        value: word != 0
  node_path:
    seq:
      - id: name_word
        type: u4
        doc: Bit 31 is always set
      - id: num_subnames
        type: u4
      - id: flags
        type: u4
        doc: Bit 0 is an absolute path, bit 1 one more sub-name (Godot 2)
      - id: names
        type: padded_text
        repeat: expr
        repeat-expr: num_names
      - id: subnames
        type: padded_text
        repeat: expr
        repeat-expr: num_all_subnames
    instances:
      num_names:
        value: name_word & 0x7fffffff
      num_all_subnames:
        value: num_subnames + ((flags & 2) >> 1)
      is_absolute:
        value: (flags & 1) != 0
  godot_object:
    params:
      - id: is_id
        type: bool
    seq:
      - id: id
        type: u8
        if: is_id
      - id: class_name
        type: padded_text
        if: not is_id
      - id: num_properties
        type: s4
        if: not is_id and class_name.len_bytes > 0
      - id: properties
        type: property
        repeat: expr
        repeat-expr: num_properties
        if: not is_id and class_name.len_bytes > 0 and num_properties > 0
  property:
    seq:
      - id: name
        type: padded_text
      - id: value
        type: value
  pair:
    seq:
      - id: key
        type: value
      - id: value
        type: value
  packed_byte_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        size: num_elements
      - id: padding
        size: (4 - num_elements % 4) % 4
  packed_string_array:
    doc: The length of each text counts a NUL at its end
    seq:
      - id: num_elements
        type: s4
      - id: elements
        type: padded_text
        repeat: expr
        repeat-expr: num_elements
        if: num_elements > 0
  dictionary:
    seq:
      - id: count_word
        type: u4
      - id: pairs
        type: pair
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  godot_array:
    seq:
      - id: count_word
        type: u4
      - id: elements
        type: value
        repeat: expr
        repeat-expr: count
    instances:
      count:
        value: count_word & 0x7fffffff
  real:
    params:
      - id: wide
        type: bool
    seq:
      - id: narrow_value
        type: f4
        if: not wide
      - id: wide_value
        type: f8
        if: wide
    instances:
      value:
        value: 'wide ? wide_value : narrow_value'
  integer:
    params:
      - id: wide
        type: bool
    seq:
      - id: narrow_value
        type: s4
        if: not wide
      - id: wide_value
        type: s8
        if: wide
    instances:
      value:
        value: 'wide ? wide_value : narrow_value'
  godot_int:
    params:
      - id: wide
        type: bool
    seq:
      - id: value
        type: integer(wide)
  godot_float:
    params:
      - id: wide
        type: bool
    seq:
      - id: value
        type: real(wide)
  vector2:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
  rect2:
    seq:
      - id: position_x
        type: f4
      - id: position_y
        type: f4
      - id: size_x
        type: f4
      - id: size_y
        type: f4
  vector3:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  transform2d:
    seq:
      - id: x_x
        type: f4
      - id: x_y
        type: f4
      - id: y_x
        type: f4
      - id: y_y
        type: f4
      - id: origin_x
        type: f4
      - id: origin_y
        type: f4
  plane:
    seq:
      - id: normal_x
        type: f4
      - id: normal_y
        type: f4
      - id: normal_z
        type: f4
      - id: d
        type: f4
  quaternion:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
      - id: w
        type: f4
  aabb:
    seq:
      - id: position_x
        type: f4
      - id: position_y
        type: f4
      - id: position_z
        type: f4
      - id: size_x
        type: f4
      - id: size_y
        type: f4
      - id: size_z
        type: f4
  basis:
    seq:
      - id: x_x
        type: f4
      - id: y_x
        type: f4
      - id: z_x
        type: f4
      - id: x_y
        type: f4
      - id: y_y
        type: f4
      - id: z_y
        type: f4
      - id: x_z
        type: f4
      - id: y_z
        type: f4
      - id: z_z
        type: f4
  transform3d:
    seq:
      - id: basis_x_x
        type: f4
      - id: basis_y_x
        type: f4
      - id: basis_z_x
        type: f4
      - id: basis_x_y
        type: f4
      - id: basis_y_y
        type: f4
      - id: basis_z_y
        type: f4
      - id: basis_x_z
        type: f4
      - id: basis_y_z
        type: f4
      - id: basis_z_z
        type: f4
      - id: origin_x
        type: f4
      - id: origin_y
        type: f4
      - id: origin_z
        type: f4
  color:
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  packed_int32_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: s4
        repeat: expr
        repeat-expr: num_elements
  packed_float32_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: f4
        repeat: expr
        repeat-expr: num_elements
  packed_vector2_array_element:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
  packed_vector2_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_vector2_array_element
        repeat: expr
        repeat-expr: num_elements
  packed_vector3_array_element:
    seq:
      - id: x
        type: f4
      - id: y
        type: f4
      - id: z
        type: f4
  packed_vector3_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_vector3_array_element
        repeat: expr
        repeat-expr: num_elements
  packed_color_array_element:
    seq:
      - id: r
        type: f4
      - id: g
        type: f4
      - id: b
        type: f4
      - id: a
        type: f4
  packed_color_array:
    seq:
      - id: num_elements
        type: u4
      - id: elements
        type: packed_color_array_element
        repeat: expr
        repeat-expr: num_elements
enums:
  kind:
    0: nil
    1: godot_bool
    2: godot_int
    3: godot_float
    4: godot_string
    5: vector2
    6: rect2
    7: vector3
    8: transform2d
    9: plane
    10: quaternion
    11: aabb
    12: basis
    13: transform3d
    14: color
    15: node_path
    16: rid
    17: godot_object
    18: dictionary
    19: godot_array
    20: packed_byte_array
    21: packed_int32_array
    22: packed_float32_array
    23: packed_string_array
    24: packed_vector2_array
    25: packed_vector3_array
    26: packed_color_array
