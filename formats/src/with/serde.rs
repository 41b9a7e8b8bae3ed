//! Tensors that serde reads and writes: the arrays of their levels, with the names of the formats.
//!
//! A tensor is written as a struct with its `fill`, in words, and its outermost `level`; a level as a struct with its name
//! as `type`, then its fields, the next level among them. So it is in JSON, of a `SparseVec<f64>`:
//!
//! ```json
//! {"fill": "0.0", "level": {"type": "SparseList", "len": 3, "pos": [0, 1], "crd": [2],
//!   "child": {"type": "Element", "val": [1.5]}}}
//! ```
//!
//! It is read as the format that it was written as: another format, or another fill, is an error. So are arrays that
//! break an invariant, which all are checked, in time linear in what is stored: input from anywhere is an error or a
//! tensor.
//!
//! Every level has this, those of other crates too, if its arrays are of types that have it. A tensor that changes may be
//! `compact`ed first, so that no room is written that is free.

/// Nothing, as the crate was built without serde.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($($declaration:tt)*) => {};
}

/// What `level!` makes of a level: `[parameters] Name [arguments] { field: Type, }`.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ([$($params:tt)*] $name:ident [$($args:tt)*] { $($field:ident: $ty:ty,)* }) => {
        // A bound that no parameter is in, and that does not hold, is allowed if it is one for any lifetime.
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<$($params)*> $crate::__private::serde::Serialize for $name<$($args)*>
        where
            $(for<'__any> &'__any $ty: $crate::__private::serde::Serialize,)*
        {
            fn serialize<__S: $crate::__private::serde::Serializer>(
                &self, to: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                let count = 1 $(+ $crate::with::serde::one(::core::stringify!($field)))*;
                let mut made = $crate::with::serde::begin(to, ::core::stringify!($name), count)?;
                $($crate::with::serde::field(&mut made, ::core::stringify!($field), &&self.$field)?;)*
                $crate::__private::serde::ser::SerializeStruct::end(made)
            }
        }
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<'__de, $($params)*> $crate::with::serde::Fields<'__de> for $name<$($args)*>
        where
            $($ty: $crate::__private::serde::Deserialize<'__de>,)*
        {
            const NAME: &'static str = ::core::stringify!($name);
            const FIELDS: &'static [&'static str] = &["type", $(::core::stringify!($field)),*];
            fn in_order<__A: $crate::__private::serde::de::SeqAccess<'__de>>(
                from: &mut __A,
            ) -> ::core::result::Result<Self, __A::Error> {
                $(let $field: $ty = $crate::with::serde::element(from, ::core::stringify!($field))?;)*
                ::core::result::Result::Ok(Self::__new($($field),*))
            }
            fn by_name<__A: $crate::__private::serde::de::MapAccess<'__de>>(
                from: &mut __A,
            ) -> ::core::result::Result<Self, __A::Error> {
                $(let mut $field: ::core::option::Option<$ty> = ::core::option::Option::None;)*
                let mut named = false;
                while let ::core::option::Option::Some(name) = $crate::with::serde::key::<__A, Self>(from)? {
                    match name {
                        $(::core::stringify!($field) => $crate::with::serde::value(from, name, &mut $field)?,)*
                        _ => {
                            $crate::with::serde::named::<__A, Self>(from)?;
                            named = true;
                        }
                    }
                }
                $crate::with::serde::given(named.then_some(()), "type")?;
                ::core::result::Result::Ok(Self::__new(
                    $($crate::with::serde::given($field, ::core::stringify!($field))?),*
                ))
            }
        }
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<'__de, $($params)*> $crate::__private::serde::Deserialize<'__de> for $name<$($args)*>
        where
            $($ty: $crate::__private::serde::Deserialize<'__de>,)*
        {
            fn deserialize<__D: $crate::__private::serde::Deserializer<'__de>>(
                from: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                $crate::with::serde::level(from)
            }
        }
    };
}

#[cfg(feature = "serde")]
pub use on::*;

#[cfg(feature = "serde")]
mod on {
    use crate::level::Level;
    use crate::value::shown;
    use crate::Tensor;
    use ::serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
    use ::serde::ser::SerializeStruct;
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::fmt;
    use std::marker::PhantomData;

    /// A level that is read field by field: what [`level!`](crate::level) makes for serde.
    #[doc(hidden)]
    pub trait Fields<'de>: Sized {
        /// The name of the format.
        const NAME: &'static str;
        /// `type`, then the fields.
        const FIELDS: &'static [&'static str];
        /// The level of its fields, in order.
        fn in_order<A: SeqAccess<'de>>(from: &mut A) -> Result<Self, A::Error>;
        /// The level of its fields by their names.
        fn by_name<A: MapAccess<'de>>(from: &mut A) -> Result<Self, A::Error>;
    }

    /// A field, to be counted.
    #[doc(hidden)]
    pub const fn one(_: &str) -> usize {
        1
    }

    /// Begins a level of so many fields by its name.
    #[doc(hidden)]
    pub fn begin<S: Serializer>(
        to: S,
        name: &'static str,
        fields: usize,
    ) -> Result<S::SerializeStruct, S::Error> {
        let mut made = to.serialize_struct(name, fields)?;
        made.serialize_field("type", name)?;
        Ok(made)
    }

    /// Writes a field.
    #[doc(hidden)]
    pub fn field<S: SerializeStruct, T: Serialize>(
        made: &mut S,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        made.serialize_field(name, value)
    }

    /// Reads a level; its invariant is checked by the tensor that it becomes.
    #[doc(hidden)]
    pub fn level<'de, L: Fields<'de>, D: Deserializer<'de>>(from: D) -> Result<L, D::Error> {
        from.deserialize_struct(L::NAME, L::FIELDS, Parts(PhantomData))
    }

    struct Parts<L>(PhantomData<L>);

    impl<'de, L: Fields<'de>> Visitor<'de> for Parts<L> {
        type Value = L;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a level `{}`", L::NAME)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<L, A::Error> {
            let name = from.next_element_seed(Name(L::NAME))?;
            name.ok_or_else(|| A::Error::missing_field("type"))?;
            L::in_order(&mut from)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<L, A::Error> {
            L::by_name(&mut from)
        }
    }

    /// The name of the format, which is to be this one.
    struct Name(&'static str);

    impl<'de> DeserializeSeed<'de> for Name {
        type Value = ();

        fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
            from.deserialize_str(self)
        }
    }

    impl Visitor<'_> for Name {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "the format `{}`", self.0)
        }

        fn visit_str<E: ::serde::de::Error>(self, found: &str) -> Result<(), E> {
            match found == self.0 {
                true => Ok(()),
                false => Err(E::custom(format_args!(
                    "it is of format `{found}`, and was to be read as `{}`",
                    self.0
                ))),
            }
        }
    }

    /// One of these names, or its number.
    struct Key(&'static [&'static str]);

    impl<'de> DeserializeSeed<'de> for Key {
        type Value = &'static str;

        fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<&'static str, D::Error> {
            from.deserialize_identifier(self)
        }
    }

    impl Visitor<'_> for Key {
        type Value = &'static str;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "one of the fields {:?}", self.0)
        }

        fn visit_str<E: ::serde::de::Error>(self, found: &str) -> Result<&'static str, E> {
            let known = self.0.iter().find(|name| **name == found);
            known.copied().ok_or_else(|| E::unknown_field(found, self.0))
        }

        fn visit_bytes<E: ::serde::de::Error>(self, found: &[u8]) -> Result<&'static str, E> {
            self.visit_str(&String::from_utf8_lossy(found))
        }

        fn visit_u64<E: ::serde::de::Error>(self, found: u64) -> Result<&'static str, E> {
            let known = usize::try_from(found).ok().and_then(|k| self.0.get(k));
            known.copied().ok_or_else(|| E::custom(format_args!("there is no field {found}")))
        }
    }

    /// The next field of an element that lists them.
    #[doc(hidden)]
    pub fn element<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
        from: &mut A,
        name: &'static str,
    ) -> Result<T, A::Error> {
        given(from.next_element()?, name)
    }

    /// The next field of a level.
    #[doc(hidden)]
    pub fn key<'de, A: MapAccess<'de>, L: Fields<'de>>(
        from: &mut A,
    ) -> Result<Option<&'static str>, A::Error> {
        from.next_key_seed(Key(L::FIELDS))
    }

    /// The value of a key that may come once.
    #[doc(hidden)]
    pub fn value<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
        from: &mut A,
        name: &'static str,
        to: &mut Option<T>,
    ) -> Result<(), A::Error> {
        match to.replace(from.next_value()?) {
            Some(_) => Err(A::Error::duplicate_field(name)),
            None => Ok(()),
        }
    }

    /// The value of `type`.
    #[doc(hidden)]
    pub fn named<'de, A: MapAccess<'de>, L: Fields<'de>>(from: &mut A) -> Result<(), A::Error> {
        from.next_value_seed(Name(L::NAME))
    }

    /// The field, if there was one.
    #[doc(hidden)]
    pub fn given<T, E: ::serde::de::Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
        field.ok_or_else(|| E::missing_field(name))
    }

    const WHOLE: &[&str] = &["fill", "level"];

    impl<L: Level + Serialize> Serialize for Tensor<L> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let mut made = to.serialize_struct("Tensor", WHOLE.len())?;
            made.serialize_field("fill", &shown(&L::fill()))?;
            made.serialize_field("level", self.root())?;
            made.end()
        }
    }

    /// Every invariant is checked.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{SparseVec, Tensor};
    ///
    /// let x: SparseVec<f64> = Tensor::from_dense([3], &[0.0, 0.0, 1.5])?;
    /// let text = serde_json::to_string(&x).unwrap();
    /// assert_eq!(serde_json::from_str::<SparseVec<f64>>(&text).unwrap(), x);
    /// let outside = text.replace("\"crd\":[2]", "\"crd\":[3]");
    /// let refused = serde_json::from_str::<SparseVec<f64>>(&outside).unwrap_err();
    /// assert!(refused.to_string().contains("not a valid `SparseList`: fiber 0 has coordinate 3"));
    /// # Ok::<(), looplets::Error>(())
    /// ```
    impl<'de, L: Level + Deserialize<'de>> Deserialize<'de> for Tensor<L> {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let root = from.deserialize_struct("Tensor", WHOLE, Whole(PhantomData))?;
            Tensor::from_parts(root).map_err(D::Error::custom)
        }
    }

    struct Whole<L>(PhantomData<L>);

    impl<L: Level> Whole<L> {
        /// The fill that was written is that of the format.
        fn filled<E: ::serde::de::Error>(fill: Option<String>) -> Result<(), E> {
            let own = shown(&L::fill());
            if fill == own {
                return Ok(());
            }
            let of = |fill: Option<String>| fill.unwrap_or("of another type".to_owned());
            let (fill, own) = (of(fill), of(own));
            Err(E::custom(format_args!(
                "its fill is {fill}, and it was to be read with fill {own}"
            )))
        }
    }

    impl<'de, L: Level + Deserialize<'de>> Visitor<'de> for Whole<L> {
        type Value = L;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a tensor of format `{}`", crate::tensor::format_name::<L>())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<L, A::Error> {
            Self::filled(element(&mut from, "fill")?)?;
            element(&mut from, "level")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<L, A::Error> {
            let (mut fill, mut level): (Option<Option<String>>, _) = (None, None);
            while let Some(name) = from.next_key_seed(Key(WHOLE))? {
                match name {
                    "fill" => value(&mut from, name, &mut fill)?,
                    "level" => value(&mut from, name, &mut level)?,
                    _ => drop(from.next_value::<IgnoredAny>()?),
                }
            }
            Self::filled(given(fill, "fill")?)?;
            given(level, "level")
        }
    }
}
